import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { levelKind } from './alert-kinds.ts'
import {
  type AlertEvent,
  type AlertState,
  averageOver,
  type Change,
  decide,
  extremeAt,
  extremeOf,
  isBeyond,
  judge,
  ok,
  type Readings,
  severities,
  sideOf,
} from './judgement.ts'

const MINUTE_MS = 60_000
const kind = levelKind('CPU') ?? assert.fail('CPU is a level')

test('sideOf: a value at the threshold is within it, and a missing value is unknown', () => {
  assert.deepEqual(
    [79, 80, 81].map((value) => sideOf({ value, target: '' }, 80, kind)),
    ['within', 'within', 'beyond'],
  )
  assert.equal(sideOf(undefined, 80, kind), 'unknown')
})

const readings: Readings = {
  times: [0, 1, 2, 3].map((minute) => minute * MINUTE_MS),
  targets: new Map([['', [90, 90, 90, 60]]]),
}

test('judge: the current reading and the average over the rule’s minutes are each compared with the threshold', () => {
  const { event, average } = judge(readings, {
    rule: { threshold: 70, minutes: 3 },
    kind,
    isFiring: false,
    now: { value: 60, target: '' },
    at: 3,
  })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'within', average: 'beyond' })
  assert.deepEqual(average, { value: 80, target: '' })
})

test('judge: the average of a one-minute rule is the current reading', () => {
  const now = { value: 95, target: 'of its own' }
  const { event, average } = judge(readings, { rule: { threshold: 70, minutes: 1 }, kind, isFiring: false, now, at: 3 })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'beyond', average: 'beyond' })
  assert.equal(average, now)
})

test('judge: the average is unknown when readings do not cover the rule’s minutes', () => {
  const { event, average } = judge(readings, { rule: { threshold: 70, minutes: 10 }, kind, isFiring: false, now: undefined, at: 3 })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'unknown', average: 'unknown' })
  assert.equal(average, undefined)
})

test('judge: a firing alert is compared with the threshold at which it resolves', () => {
  const rule = { threshold: 70, clear: 50, minutes: 1 }
  const sideAt = (value: number, isFiring: boolean) =>
    judge(readings, { rule, kind, isFiring, now: { value, target: '' }, at: 3 }).event.now
  assert.deepEqual(
    [40, 50, 60, 70, 80].map((value) => [sideAt(value, false), sideAt(value, true)]),
    [
      ['within', 'within'],
      ['within', 'within'],
      ['within', 'beyond'],
      ['within', 'beyond'],
      ['beyond', 'beyond'],
    ],
  )
})

test('judge: each of two thresholds has its own minutes, and a firing alert resolves within the first', () => {
  const rule = { threshold: 90, minutes: 1, warning: { threshold: 70, minutes: 4 } }
  // The average over 4 minutes is 65, which is within both thresholds.
  const climbing: Readings = { times: [0, 1, 2, 3, 4].map((at) => at * MINUTE_MS), targets: new Map([['', [0, 40, 50, 75, 95]]]) }
  const judged = (value: number, isFiring: boolean) => judge(climbing, { rule, kind, isFiring, now: { value, target: '' }, at: 4 })
  assert.deepEqual(judged(80, false), {
    event: { kind: 'level', atMs: 4 * MINUTE_MS, now: 'beyond', average: 'within' },
    average: { value: 65, target: '' },
  })
  assert.deepEqual(judged(95, false), {
    event: { kind: 'level', atMs: 4 * MINUTE_MS, now: 'beyond', average: 'within', isCritical: true },
    average: { value: 95, target: '' },
  })
  assert.equal(judged(80, true).event.now, 'beyond')
  assert.equal(judged(70, true).event.now, 'within')
})

const NOW_MS = Date.UTC(2026, 0, 10, 12)

/** Values of the last minutes, the newest last; undefined: nothing was measured. */
function minutes(...values: readonly (number | undefined)[]): Readings {
  const known = values.flatMap((value, index) =>
    value === undefined ? [] : [{ value, atMs: NOW_MS - (values.length - 1 - index) * MINUTE_MS }],
  )
  return { times: known.map(({ atMs }) => atMs), targets: new Map([['', known.map(({ value }) => value)]]) }
}

const over = (readings: Readings, length: number, direction: 'above' | 'below' = 'above') =>
  averageOver(readings, { minutes: length, direction, at: readings.times.length - 1 })

const cases: readonly (readonly [what: string, readings: Readings, minutes: number, expected: number | undefined])[] = [
  ['returns the mean of the given minutes, without the minute before them', minutes(900, 10, 20, 30), 3, 20],
  ['is undefined before all minutes have passed', minutes(10, 20, 30), 3, undefined],
  ['is undefined without readings', minutes(), 3, undefined],
  ['returns the mean when one of six minutes is missing', minutes(0, 10, undefined, 10, 10, 10, 10), 6, 10],
  ['is undefined when two of six minutes are missing', minutes(0, 10, undefined, undefined, 10, 10, 10), 6, undefined],
  [
    'is undefined after a long gap until there are enough readings',
    minutes(90, ...Array.from({ length: 30 }, () => undefined), 90, 90),
    10,
    undefined,
  ],
]

for (const [what, readings, length, expected] of cases) {
  test(`averageOver ${what}`, () => assert.equal(over(readings, length)?.value, expected))
}

test('averageOver returns the target with the most extreme average over its own minutes', () => {
  const readings = {
    times: [3, 2, 1, 0].map((ago) => NOW_MS - ago * MINUTE_MS),
    targets: new Map([
      ['root', [40, 40, 40, 40]],
      ['data', [80, 80, 80, 80]],
      ['stick', [Number.NaN, Number.NaN, Number.NaN, 99]],
    ]),
  }
  assert.deepEqual(over(readings, 3), { target: 'data', value: 80 })
  assert.deepEqual(over(readings, 3, 'below'), { target: 'root', value: 40 })
})

test('averageOver leaves out a target’s minutes without a value', () => {
  const readings = {
    times: [6, 5, 4, 3, 2, 1, 0].map((ago) => NOW_MS - ago * MINUTE_MS),
    targets: new Map([
      ['stick', [Number.NaN, Number.NaN, Number.NaN, 90, 90, 90, 90]],
      ['root', [40, 40, Number.NaN, 40, 40, 40, 40]],
      ['data', [30, 30, 30, 30, 30, 30, 30]],
    ]),
  }
  assert.deepEqual(over(readings, 6), { target: 'root', value: 40 })
})

test('averageOver includes a reading that is ten seconds late, and excludes one that is a millisecond later', () => {
  const from = (firstMs: number): Readings => ({ times: [firstMs, NOW_MS - MINUTE_MS, NOW_MS], targets: new Map([['', [70, 10, 10]]]) })
  assert.equal(over(from(NOW_MS - 2 * MINUTE_MS + 10_000), 2)?.value, 30)
  assert.equal(over(from(NOW_MS - 2 * MINUTE_MS + 10_001), 2), undefined)
})

for (const [value, threshold, direction, expected] of [
  [81, 80, 'above', true],
  [80, 80, 'above', false],
  [79, 80, 'above', false],
  [19, 20, 'below', true],
  [20, 20, 'below', false],
  [21, 20, 'below', false],
] as const) {
  test(`isBeyond: ${value} is ${expected ? '' : 'not '}${direction} ${threshold}`, () =>
    assert.equal(isBeyond(value, threshold, direction), expected))
}

test('extremeOf returns the target with the highest or the lowest value, and undefined for an empty reading', () => {
  const reading = new Map([
    ['root', 40],
    ['data', 80],
    ['stick', 60],
  ])
  assert.deepEqual(extremeOf(reading, 'above'), { target: 'data', value: 80 })
  assert.deepEqual(extremeOf(reading, 'below'), { target: 'root', value: 40 })
  assert.equal(extremeOf(new Map(), 'above'), undefined)
})

test('extremeAt reads one time, ignores missing values, and returns the first of equal values', () => {
  const readings: Readings = {
    times: [0, 1],
    targets: new Map([
      ['stick', [99, Number.NaN]],
      ['root', [10, 40]],
      ['data', [20, 40]],
      ['tmp', [30, 20]],
    ]),
  }
  assert.deepEqual(extremeAt(readings, 0, 'above'), { target: 'stick', value: 99 })
  assert.deepEqual(extremeAt(readings, 1, 'above'), { target: 'root', value: 40 })
  assert.deepEqual(extremeAt(readings, 1, 'below'), { target: 'tmp', value: 20 })
  assert.equal(extremeAt(readings, 2, 'above'), undefined)
})

test('averageOver returns a value between the minimum and the maximum of the minutes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 3, maxLength: 70 }), (values) => {
      const found = over(minutes(...values), values.length - 1)
      assert.ok(found !== undefined)
      const counted = values.slice(1)
      assert.ok(found.value >= Math.min(...counted) - 1e-9 && found.value <= Math.max(...counted) + 1e-9)
    }),
  )
})

const beginning = (id: string) => ({ newIncident: () => id, severity: 'critical' as const })
const firing: AlertState = { phase: 'firing', sinceMs: 5, incident: 'old', severity: 'critical' }
const warned: AlertState = { ...firing, severity: 'warning' }
const waiting: AlertState = { phase: 'pending', sinceMs: 5 }
const due: AlertState = { phase: 'pending', sinceMs: 5, dueMs: 65 }
const late: AlertState = { phase: 'pending', sinceMs: 1_000_000 }
const begun = (sinceMs: number): AlertState => ({ phase: 'firing', sinceMs, incident: 'new', severity: 'critical' })
const level = (now: 'beyond' | 'within' | 'unknown', average: 'beyond' | 'within' | 'unknown'): AlertEvent => ({
  kind: 'level',
  atMs: 9,
  now,
  average,
})

const critical: AlertEvent = { kind: 'level', atMs: 9, now: 'beyond', average: 'unknown', isCritical: true }

const transitionCases: readonly (readonly [what: string, from: AlertState, event: AlertEvent, to: AlertState, change?: Change])[] = [
  ['a value within the threshold starts nothing', ok, level('within', 'within'), ok],
  [
    'a value beyond the threshold is pending until the average is beyond it, too',
    ok,
    level('beyond', 'within'),
    { phase: 'pending', sinceMs: 9 },
  ],
  [
    'a value beyond the threshold is pending while the average is unknown',
    ok,
    level('beyond', 'unknown'),
    { phase: 'pending', sinceMs: 9 },
  ],
  ['a pending alert keeps its start time', waiting, level('beyond', 'within'), waiting],
  ['a pending alert ends when the value is back within the threshold', waiting, level('within', 'beyond'), ok],
  ['a pending alert stays pending while the value is unknown', waiting, level('unknown', 'unknown'), waiting],
  ['a pending alert fires when value and average are beyond the threshold', waiting, level('beyond', 'beyond'), begun(9), 'fired'],
  ['no alert starts on an average beyond the threshold with a value within it', ok, level('within', 'beyond'), ok],
  ['a firing alert continues while the average is beyond the threshold', firing, level('within', 'beyond'), firing],
  ['a firing alert continues while value and average are unknown', firing, level('unknown', 'unknown'), firing],
  ['a firing alert continues while the average is unknown', firing, level('within', 'unknown'), firing],
  ['a firing alert resolves when value and average are within the threshold', firing, level('within', 'within'), ok, 'resolved'],
  ['a warning becomes critical at the second threshold', warned, critical, firing, 'worse'],
  ['a warning continues between its thresholds', warned, level('beyond', 'beyond'), warned],
  ['a warning resolves within the first threshold', warned, level('within', 'within'), ok, 'resolved'],
  ['a critical alert continues between the thresholds', firing, level('beyond', 'beyond'), firing],
  ['a critical alert continues beyond the second threshold', firing, critical, firing],
  ['an alert fires at once at the second threshold, also while the average of the first is unknown', ok, critical, begun(9), 'fired'],
  ['a system that goes down is pending for its delay', ok, { kind: 'down', atMs: 5, waitMs: 60 }, due],
  ['a repeated down event does not extend the delay', due, { kind: 'down', atMs: 30, waitMs: 60 }, due],
  ['a system that is up before the end of its delay fires no alert', due, { kind: 'up', atMs: 64 }, ok],
  ['a pending alert does not fire before the end of its delay', due, { kind: 'time', atMs: 64 }, due],
  ['a pending alert fires at the end of its delay, with the start of the outage', due, { kind: 'time', atMs: 65 }, begun(5), 'fired'],
  ['the delay starts again when the clock was set back', due, { kind: 'time', atMs: 0 }, { phase: 'pending', sinceMs: 0, dueMs: 60 }],
  ['a system that goes down without a delay fires at once', { ...due, dueMs: 5 }, { kind: 'time', atMs: 5 }, begun(5), 'fired'],
  [
    'a time event does not change an alert that waits for a sample, even with the clock set back',
    waiting,
    { kind: 'time', atMs: 0 },
    waiting,
  ],
  ['a time event does not start an alert', ok, { kind: 'time', atMs: 900 }, ok],
  ['a time event does not end a firing alert', firing, { kind: 'time', atMs: 900 }, firing],
  ['a firing alert resolves when the system is up', firing, { kind: 'up', atMs: 70 }, ok, 'resolved'],
  ['a failing condition is pending for its minutes', ok, { kind: 'wrong', atMs: 5, waitMs: 60_000 }, waiting],
  ['a failing condition without minutes fires at once', ok, { kind: 'wrong', atMs: 5, waitMs: 0 }, begun(5), 'fired'],
  ['a failing condition stays pending before the end of its minutes', waiting, { kind: 'wrong', atMs: 40_000, waitMs: 60_000 }, waiting],
  [
    'a failing condition stays pending before the end of its minutes, at a late time',
    late,
    { kind: 'wrong', atMs: 1_040_000, waitMs: 60_000 },
    late,
  ],
  [
    'a failing condition fires ten seconds before the end of its minutes',
    waiting,
    { kind: 'wrong', atMs: 50_005, waitMs: 60_000 },
    begun(5),
    'fired',
  ],
  [
    'a failing condition does not fire more than ten seconds before the end of its minutes',
    waiting,
    { kind: 'wrong', atMs: 50_004, waitMs: 60_000 },
    waiting,
  ],
  [
    'a failing condition fires after its minutes, with its start time',
    waiting,
    { kind: 'wrong', atMs: 59_000, waitMs: 60_000 },
    begun(5),
    'fired',
  ],
  [
    'a failing condition starts again when the clock was set back',
    waiting,
    { kind: 'wrong', atMs: 1, waitMs: 60_000 },
    { phase: 'pending', sinceMs: 1 },
  ],
  ['a firing alert continues while the condition fails', firing, { kind: 'wrong', atMs: 90_000, waitMs: 0 }, firing],
  ['a pause closes a firing alert', firing, { kind: 'reset' }, ok, 'closed'],
  ['a pause ends a pending alert', due, { kind: 'reset' }, ok],
]

for (const [what, from, event, to, change] of transitionCases) {
  test(`decide: ${what}`, () => {
    const decision = decide(from, event, beginning('new'))
    assert.deepEqual({ state: decision.state, change: decision.change }, { state: to, change })
    // Only a new object is written to the database.
    if (to === from) assert.equal(decision.state, from)
  })
}

const side = fc.constantFrom('beyond' as const, 'within' as const, 'unknown' as const)
const atMs = fc.integer({ min: 0, max: 1000 })
const events: fc.Arbitrary<AlertEvent> = fc.oneof(
  fc.record({ kind: fc.constant('level' as const), atMs, now: side, average: side }),
  fc.record({
    kind: fc.constant('level' as const),
    atMs,
    now: fc.constant('beyond' as const),
    average: side,
    isCritical: fc.constant(true as const),
  }),
  fc.record({ kind: fc.constant('down' as const), atMs, waitMs: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant('up' as const), atMs }),
  fc.record({ kind: fc.constant('wrong' as const), atMs, waitMs: fc.integer({ min: 0, max: 300 }) }),
  fc.record({ kind: fc.constant('time' as const), atMs }),
  fc.constant({ kind: 'reset' as const }),
)

const decidesByTime: ReadonlySet<AlertEvent['kind']> = new Set(['time', 'wrong'])

test('decide: the severity of an incident only rises, and each rise is reported once', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 60 }), fc.constantFrom(...severities), (happened, severity) => {
      let state: AlertState = ok
      for (const event of happened) {
        const { state: next, change } = decide(state, event, { severity, newIncident: () => 'new' })
        const severityOf = (one: AlertState) => (one.phase === 'firing' ? one.severity : undefined)
        const [before, after] = [severityOf(state), severityOf(next)]
        assert.equal(change === 'worse', before === 'warning' && after === 'critical')
        if (before === 'critical') assert.notEqual(after, 'warning')
        state = next
      }
    }),
  )
})

test('decide: each incident begins once and ends once, and its end is reported only if its beginning was', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 60 }), fc.constantFrom(...severities), (happened, first) => {
      let state: AlertState = ok
      let count = 0
      const open = new Set<string>()
      for (const event of happened) {
        const before = state
        const { state: next, change } = decide(state, event, { severity: first, newIncident: () => String((count += 1)) })
        if (change === 'fired') {
          assert.ok(next.phase === 'firing')
          open.add(next.incident)
        } else if (change !== undefined && change !== 'worse') {
          assert.ok(before.phase === 'firing' && open.delete(before.incident))
        }
        // The firing incident is the one that began and did not end; no other is open.
        assert.deepEqual([...open], next.phase === 'firing' ? [next.incident] : [])
        if (event.kind === 'level' && event.now === 'unknown') assert.deepEqual(next, before)
        // Repeating the event changes nothing.
        const again = decide(next, event, beginning('again'))
        if (event.kind !== 'level' || next.phase !== 'ok') assert.ok(again.change !== 'fired' || decidesByTime.has(event.kind))
        state = next
      }
    }),
  )
})
