import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fillForecast, judgeFill, type FillHistory } from './fill-forecast.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.UTC(2026, 0, 20)
/** Repeatable noise from -1 to 1. */
const noise = (hour: number): number => (Math.abs(Math.sin(hour * 12.9898 + 4) * 43_758.5453) % 1) * 2 - 1

/** History of a series as the hub stores it: averages over 10 min and 2 h. `valueAt` gets hours before now, negative. */
function historyOf(valueAt: (hour: number) => number, knownHours = 168): FillHistory {
  const points = (stepHours: number, count: number) =>
    Array.from({ length: count }, (_, at) => (at - count) * stepHours)
      .filter((hour) => hour >= -knownHours - 1e-9)
      .map((hour) => {
        const tens = Array.from({ length: Math.round(stepHours * 6) }, (_, part) => valueAt(hour + (part + 0.5) / 6))
        return { atMs: NOW_MS + (hour + stepHours / 2) * HOUR_MS, value: tens.reduce((sum, value) => sum + value, 0) / tens.length }
      })
      .filter(({ value }) => !Number.isNaN(value))
  return { day: points(1 / 6, 144), week: points(2, 84) }
}

const judged = (history: FillHistory, limitHours: number) => {
  const forecast = fillForecast(history, NOW_MS)
  return forecast === undefined ? undefined : judgeFill(forecast, limitHours)
}

const sawtooth =
  (periodHours: number, phase: number) =>
  (hour: number): number =>
    70 + 20 * ((((hour + phase) % periodHours) + periodHours) % periodHours) * (1 / periodHours)

const cases: readonly {
  readonly title: string
  readonly valueAt: (hour: number) => number
  readonly knownHours?: number
  readonly side: 'beyond' | 'within' | 'unknown' | undefined
  readonly hours?: number
}[] = [
  { title: 'a steady growth that fills the disk in 40 h', valueAt: (hour) => 80 + hour / 2, side: 'beyond', hours: 40 },
  { title: 'a steady growth that fills it in 60 h', valueAt: (hour) => 70 + hour / 2, side: 'within', hours: 60 },
  { title: 'a growth with noise of 2 %', valueAt: (hour) => 80 + hour / 2 + 2 * noise(hour), side: 'beyond', hours: 40 },
  { title: 'noise without growth', valueAt: (hour) => 60 + 3 * noise(hour), side: 'within' },
  { title: 'much noise near the end', valueAt: (hour) => 85 + 12 * noise(hour), knownHours: 20, side: 'unknown' },
  { title: 'a constant', valueAt: () => 95, side: 'within', hours: Infinity },
  { title: 'a constant full disk', valueAt: () => 100, side: 'beyond', hours: 0 },
  { title: 'a full disk with few values', valueAt: () => 99.6, knownHours: 1, side: 'beyond', hours: 0 },
  { title: 'a fall', valueAt: (hour) => 60 - hour / 8, side: 'within', hours: Infinity },
  { title: 'a large file copied 3 h ago', valueAt: (hour) => (hour < -3 ? 40 : 90), side: 'within' },
  { title: 'a large file copied 12 h ago', valueAt: (hour) => (hour < -12 ? 40 : 90), side: 'within' },
  { title: 'a large file copied 4 days ago', valueAt: (hour) => (hour < -96 ? 40 : 90), side: 'within' },
  { title: 'a growth with a copied file', valueAt: (hour) => (hour < -30 ? 60 : 80) + hour / 2, side: 'beyond', hours: 40 },
  { title: 'a growth with deleted files', valueAt: (hour) => (hour < -30 ? 96 : 80) + hour / 2, side: 'beyond', hours: 40 },
  { title: 'a backup that copies 5 % every night', valueAt: (hour) => 92 + 5 * Math.floor((hour + 2) / 24), side: 'beyond' },
  { title: 'a growth that ended 2 days ago', valueAt: (hour) => Math.min(90, 90 + (hour + 48) / 3), side: 'within' },
  { title: 'a growth that began 16 h ago', valueAt: (hour) => 50 + 2 * Math.max(0, hour + 16), side: 'beyond' },
  { title: 'a growth that began an hour ago', valueAt: (hour) => 50 + 20 * Math.max(0, hour + 1), side: 'within' },
  { title: 'daily log rotation, an hour ago', valueAt: sawtooth(24, 1), side: 'unknown' },
  { title: 'daily log rotation, 12 h ago', valueAt: sawtooth(24, 12), side: 'unknown' },
  { title: 'daily log rotation, 23 h ago', valueAt: sawtooth(24, 23), side: 'unknown' },
  { title: 'log rotation every 6 h', valueAt: sawtooth(6, 3), side: 'unknown' },
  {
    title: 'a gap of 6 h in a growth',
    valueAt: (hour) => (hour > -16 && hour < -10 ? Number.NaN : 80 + hour / 2),
    side: 'beyond',
    hours: 40,
  },
  {
    title: 'a gap of 14 h in a young growth',
    valueAt: (hour) => (hour > -18 && hour < -4 ? Number.NaN : 80 + hour),
    knownHours: 24,
    side: 'unknown',
  },
  { title: 'no value for 3 h', valueAt: (hour) => (hour > -3 ? Number.NaN : 80 + hour), side: undefined },
  { title: 'a growth that is known for 8 h', valueAt: (hour) => 80 + hour, knownHours: 8, side: 'beyond', hours: 20 },
  { title: 'a growth that is known for 5 h', valueAt: (hour) => 80 + hour, knownHours: 5, side: 'unknown' },
  { title: 'no values', valueAt: () => 50, knownHours: 0, side: undefined },
]

for (const { title, valueAt, knownHours, side, hours } of cases)
  test(`fillForecast: ${title}`, () => {
    const verdict = judged(historyOf(valueAt, knownHours), 48)
    assert.equal(verdict?.side, side, JSON.stringify(verdict))
    const { value = Number.NaN } = verdict?.estimate ?? {}
    if (hours !== undefined) assert.ok(value === hours || Math.abs(value - hours) < 2, `${value} h is not ${hours} h`)
  })

test('fillForecast does not forecast further than 4.5 times the known time', () => {
  const slow = historyOf((hour) => 80 + hour / 10, 24)
  assert.equal(judged(slow, 48)?.side, 'within')
  assert.equal(judged(slow, 720)?.side, 'unknown')
  assert.equal(
    judged(
      historyOf((hour) => 80 + hour / 10),
      720,
    )?.side,
    'beyond',
  )
})

test('fillForecast ignores values in the future, as after a clock was set back', () => {
  const grown = historyOf((hour) => 80 + hour / 2)
  const future = grown.day.map(({ atMs }) => ({ atMs: atMs + 48 * HOUR_MS, value: 1 }))
  assert.deepEqual(fillForecast({ ...grown, day: [...grown.day, ...future] }, NOW_MS), fillForecast(grown, NOW_MS))
  assert.equal(fillForecast({ day: future, week: [] }, NOW_MS), undefined)
})

const levels = fc.integer({ min: 1, max: 990 }).map((level) => level / 10)

test('fillForecast: a constant or a single step never fires', () => {
  const steps = fc.record({
    before: levels,
    after: levels,
    atHour: fc.integer({ min: -168, max: 0 }),
    known: fc.integer({ min: 1, max: 168 }),
  })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 720 }), ({ before, after, atHour, known }, limit) => {
      for (const valueAt of [() => after, (hour: number) => (hour < atHour ? before : after)])
        assert.notEqual(judged(historyOf(valueAt, known), limit)?.side, 'beyond')
    }),
    { numRuns: 60 },
  )
})

test('fillForecast: a falling series never fires', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 95 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 720 }),
      (level, fall, limit) => {
        assert.notEqual(
          judged(
            historyOf((hour) => level - (hour * fall) / 100),
            limit,
          )?.side,
          'beyond',
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('fillForecast: the interval contains the estimate, and an estimate never ends before now', () => {
  const anything = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1008, maxLength: 1008 })
  fc.assert(
    fc.property(anything, (values) => {
      const { day, week } =
        fillForecast(
          historyOf((hour) => values[Math.floor((hour + 168) * 6)] ?? 0),
          NOW_MS,
        ) ?? {}
      for (const one of [day, week])
        assert.ok(one === undefined || (one.low >= 0 && one.low <= one.value && one.value <= one.high), JSON.stringify(one))
    }),
    { numRuns: 60 },
  )
})

for (const [title, valueAt, side] of [
  ['daily log rotation', sawtooth(24, 12), 'within'],
  ['a daily cycle', (hour: number) => 50 + 10 * Math.sin((hour * Math.PI) / 12), 'within'],
  ['a constant', () => 95, 'within'],
  ['a steady growth', (hour: number) => 80 + hour / 2, 'beyond'],
  ['a growth with noise', (hour: number) => 80 + hour / 2 + 2 * noise(hour), 'beyond'],
] as const)
  test(`judgeFill: an alert that fires, then ${title}: ${side}`, () => {
    const forecast = fillForecast(historyOf(valueAt), NOW_MS)
    assert.ok(forecast !== undefined)
    assert.equal(judgeFill(forecast, 48, true).side, side)
  })
