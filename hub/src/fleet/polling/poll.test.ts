import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { driveSchedule, firstPollOrder, groupMs, phaseOf, POLL_EVERY_MS, untilFirstPoll, untilNextPoll } from './poll.ts'

const ids = fc.stringMatching(/^[a-z0-9]{15}$/)
const steps = fc.constantFrom(100, 200, 500, 1000)
const moments = fc.integer({ min: 0, max: 4e12 })

test('untilNextPoll returns a time on the phase of the system, or one from which the next is on it', () => {
  fc.assert(
    fc.property(ids, moments, steps, (id, nowMs, stepMs) => {
      const isOnPhase = (atMs: number): boolean => (atMs - phaseOf(id, stepMs)) % POLL_EVERY_MS === 0
      const nextMs = nowMs + untilNextPoll(id, nowMs, stepMs)
      assert.ok(isOnPhase(nextMs) || isOnPhase(nextMs + untilNextPoll(id, nextMs, stepMs)))
    }),
  )
})

test('untilNextPoll returns 28 to 60 s, so that samples neither repeat nor leave a gap', () => {
  fc.assert(
    fc.property(ids, moments, steps, (id, nowMs, stepMs) => {
      const wait = untilNextPoll(id, nowMs, stepMs)
      assert.ok(wait >= 28_000 && wait <= POLL_EVERY_MS, `waits ${wait} ms`)
    }),
  )
})

test('firstPollOrder sorts by the age of the last sample, with systems of old samples last', () => {
  const systems = fc.uniqueArray(
    fc.record({ id: ids, sampledAtMs: fc.option(fc.integer({ min: -300_000, max: 60_000 }), { nil: undefined }) }),
    {
      selector: ({ id }) => id,
      maxLength: 50,
    },
  )
  fc.assert(
    fc.property(systems, fc.integer({ min: 1e12, max: 4e12 }), (ages, nowMs) => {
      const given = ages.map(({ id, sampledAtMs }) => ({ id, sampledAtMs: sampledAtMs === undefined ? undefined : nowMs + sampledAtMs }))
      const order = firstPollOrder(given, nowMs)
      assert.deepEqual(new Set(order), new Set(given))
      const recent = order.map(({ sampledAtMs = 0 }) => (sampledAtMs > nowMs - 120_000 && sampledAtMs <= nowMs ? sampledAtMs : Infinity))
      assert.deepEqual(
        recent,
        recent.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      )
    }),
  )
})

test('untilFirstPoll polls a system whose sample is due at once, and others within 10 s', () => {
  const nowMs = 1e12
  for (const [ageMs, waitMs] of [
    [undefined, 0],
    [0, 10_000],
    [49_999, 10_000],
    [50_000, 10_000],
    [52_000, 8_000],
    [59_999, 1],
    [60_000, 0],
    [86_400_000, 0],
    // The clock was set back since the sample.
    [-1, 0],
  ] as const)
    assert.equal(untilFirstPoll(ageMs === undefined ? undefined : nowMs - ageMs, nowMs), waitMs, `${ageMs} ms old`)
})

test('phaseOf moves a system by less than one step when live viewing begins or ends', () => {
  fc.assert(
    fc.property(ids, steps, (id, stepMs) => {
      const earlierMs = phaseOf(id, 100) - phaseOf(id, stepMs)
      assert.ok(earlierMs >= 0 && earlierMs < stepMs && phaseOf(id, stepMs) % stepMs === 0, `${earlierMs} ms earlier`)
    }),
  )
})

test('groupMs groups polls of 1 s, or with live viewers of 500 ms in PostgreSQL and 100 ms in SQLite', () => {
  const sizes = [1, 1000, 2000, 5000, 10_000, 50_000]
  assert.deepEqual(
    sizes.map((systems) => groupMs(systems, false, 'sqlite')),
    [1000, 1000, 500, 200, 100, 100],
  )
  assert.deepEqual(
    sizes.map((systems) => groupMs(systems, true, 'postgres')),
    [500, 500, 500, 200, 100, 100],
  )
  assert.deepEqual(new Set(sizes.map((systems) => groupMs(systems, true, 'sqlite'))), new Set([100]))
})

test('phaseOf spreads a thousand systems evenly over the minute', () => {
  const counts = new Map<number, number>()
  for (let index = 0; index < 1000; index++) {
    const second = Math.floor(phaseOf(index.toString(36).padStart(15, 'x'), 1000) / 1000)
    counts.set(second, (counts.get(second) ?? 0) + 1)
  }
  assert.ok(counts.size >= 58 && Math.max(...counts.values()) <= 50)
})

const HOUR_MS = 3_600_000

test('driveSchedule reads drives once, then every hour', () => {
  const schedule = driveSchedule()
  assert.equal(schedule.isDue(0), true)
  schedule.started(0)
  schedule.succeeded()
  assert.deepEqual([HOUR_MS - 1, HOUR_MS].map(schedule.isDue), [false, true])
})

test('driveSchedule uses the interval of the agent, but reads at most once a minute', () => {
  const schedule = driveSchedule()
  schedule.learnInterval(600_000)
  schedule.started(0)
  assert.deepEqual([599_999, 600_000].map(schedule.isDue), [false, true])
  schedule.learnInterval(1)
  assert.deepEqual([59_999, 60_000].map(schedule.isDue), [false, true])
  schedule.learnInterval(undefined)
  assert.equal(schedule.isDue(60_000), true)
})

test('driveSchedule reads again after a reconnect if the last reading failed, and waits if it succeeded', () => {
  const schedule = driveSchedule()
  schedule.started(0)
  assert.equal(schedule.isDue(1000), false)
  schedule.reconnected()
  assert.equal(schedule.isDue(1000), true)
  schedule.started(1000)
  schedule.succeeded()
  schedule.reconnected()
  assert.equal(schedule.isDue(2000), false)
})

for (const hours of [1, 24])
  test(`driveSchedule reads drives again at once when the clock was set back by ${hours} h`, () => {
    const schedule = driveSchedule()
    schedule.started(hours * HOUR_MS)
    schedule.succeeded()
    assert.equal(schedule.isDue(0), true)
    schedule.started(0)
    assert.deepEqual([HOUR_MS - 1, HOUR_MS].map(schedule.isDue), [false, true])
  })
