import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decide, ok, type AlertEvent, type AlertState, type Change } from './alert-state.ts'

const firing: AlertState = { phase: 'firing', sinceMs: 5, incident: 'old' }
const waiting: AlertState = { phase: 'pending', sinceMs: 5 }
const due: AlertState = { phase: 'pending', sinceMs: 5, dueMs: 65 }
const late: AlertState = { phase: 'pending', sinceMs: 1_000_000 }
const begun = (sinceMs: number): AlertState => ({ phase: 'firing', sinceMs, incident: 'new' })
const level = (now: 'beyond' | 'within' | 'unknown', average: 'beyond' | 'within' | 'unknown'): AlertEvent => ({
  kind: 'level',
  atMs: 9,
  now,
  average,
})

const cases: readonly (readonly [what: string, from: AlertState, event: AlertEvent, to: AlertState, change?: Change])[] = [
  ['a value within stays quiet', ok, level('within', 'within'), ok],
  ['a peak waits for the average', ok, level('beyond', 'within'), { phase: 'pending', sinceMs: 9 }],
  ['a peak of which too little is known waits', ok, level('beyond', 'unknown'), { phase: 'pending', sinceMs: 9 }],
  ['what waits remembers since when', waiting, level('beyond', 'within'), waiting],
  ['what waits is over when the value is back', waiting, level('within', 'beyond'), ok],
  ['what waits outlasts a moment of which nothing is known', waiting, level('unknown', 'unknown'), waiting],
  ['value and average beyond: fires', waiting, level('beyond', 'beyond'), begun(9), 'fired'],
  ['an average beyond with a value back does not', ok, level('within', 'beyond'), ok],
  ['firing lasts while the average is beyond', firing, level('within', 'beyond'), firing],
  ['firing lasts while nothing is known', firing, level('unknown', 'unknown'), firing],
  ['firing lasts where the average is not known', firing, level('within', 'unknown'), firing],
  ['value and average back: resolved', firing, level('within', 'within'), ok, 'resolved'],
  ['a system that falls has its minutes', ok, { kind: 'down', atMs: 5, waitMs: 60 }, due],
  ['a system that is down still does not wait longer', due, { kind: 'down', atMs: 30, waitMs: 60 }, due],
  ['a system that is back in time is not told of', due, { kind: 'up', atMs: 64 }, ok],
  ['before its time nothing fires', due, { kind: 'time', atMs: 64 }, due],
  ['when its time has come it fires, since it fell', due, { kind: 'time', atMs: 65 }, begun(5), 'fired'],
  ['a clock set back begins the wait again', due, { kind: 'time', atMs: 0 }, { phase: 'pending', sinceMs: 0, dueMs: 60 }],
  ['a fall that waits for nothing fires in its own moment', { ...due, dueMs: 5 }, { kind: 'time', atMs: 5 }, begun(5), 'fired'],
  ['time says nothing of what waits for a measurement, however clocks go', waiting, { kind: 'time', atMs: 0 }, waiting],
  ['time says nothing where nothing waits', ok, { kind: 'time', atMs: 900 }, ok],
  ['time alone ends nothing', firing, { kind: 'time', atMs: 900 }, firing],
  ['a system that is back resolves', firing, { kind: 'up', atMs: 70 }, ok, 'resolved'],
  ['what is wrong waits', ok, { kind: 'wrong', atMs: 5, waitMs: 60_000 }, waiting],
  ['what needs no minutes fires at once', ok, { kind: 'wrong', atMs: 5, waitMs: 0 }, begun(5), 'fired'],
  ['what is wrong for less waits on', waiting, { kind: 'wrong', atMs: 40_000, waitMs: 60_000 }, waiting],
  ['what is wrong for less waits on, at any time of day', late, { kind: 'wrong', atMs: 1_040_000, waitMs: 60_000 }, late],
  ['ten seconds less than its minutes are enough', waiting, { kind: 'wrong', atMs: 50_005, waitMs: 60_000 }, begun(5), 'fired'],
  ['more than ten seconds less are not', waiting, { kind: 'wrong', atMs: 50_004, waitMs: 60_000 }, waiting],
  ['what was wrong for its minutes fires, since it began', waiting, { kind: 'wrong', atMs: 59_000, waitMs: 60_000 }, begun(5), 'fired'],
  [
    'what is wrong begins again when the clock was set back',
    waiting,
    { kind: 'wrong', atMs: 1, waitMs: 60_000 },
    { phase: 'pending', sinceMs: 1 },
  ],
  ['what fires goes on being wrong', firing, { kind: 'wrong', atMs: 90_000, waitMs: 0 }, firing],
  ['a pause ends it without a word', firing, { kind: 'reset' }, ok, 'closed'],
  ['a pause forgets what waited', due, { kind: 'reset' }, ok],
]

for (const [what, from, event, to, change] of cases) {
  test(`decide: ${what}`, () => {
    const decision = decide(from, event, () => 'new')
    assert.deepEqual({ state: decision.state, change: decision.change }, { state: to, change })
    // Only a new object is written to the database.
    if (to === from) assert.equal(decision.state, from)
  })
}

const side = fc.constantFrom('beyond' as const, 'within' as const, 'unknown' as const)
const atMs = fc.integer({ min: 0, max: 1000 })
const events: fc.Arbitrary<AlertEvent> = fc.oneof(
  fc.record({ kind: fc.constant('level' as const), atMs, now: side, average: side }),
  fc.record({ kind: fc.constant('down' as const), atMs, waitMs: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant('up' as const), atMs }),
  fc.record({ kind: fc.constant('wrong' as const), atMs, waitMs: fc.integer({ min: 0, max: 300 }) }),
  fc.record({ kind: fc.constant('time' as const), atMs }),
  fc.constant({ kind: 'reset' as const }),
)

const decidesByTime: ReadonlySet<AlertEvent['kind']> = new Set(['time', 'wrong'])

test('decide: whatever happens, each incident begins once and ends once, and its end is told only if its beginning was', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 60 }), (happened) => {
      let state: AlertState = ok
      let count = 0
      const open = new Set<string>()
      for (const event of happened) {
        const before = state
        const { state: next, change } = decide(state, event, () => String((count += 1)))
        if (change === 'fired') {
          assert.equal(next.phase, 'firing')
          if (next.phase === 'firing') open.add(next.incident)
        } else if (change !== undefined) {
          assert.ok(before.phase === 'firing' && open.delete(before.incident))
        }
        // The firing incident is the one that began and did not end; no other is open.
        assert.deepEqual([...open], next.phase === 'firing' ? [next.incident] : [])
        if (event.kind === 'level' && event.now === 'unknown') assert.deepEqual(next, before)
        // Repeating the event changes nothing.
        const again = decide(next, event, () => 'again')
        if (event.kind !== 'level' || next.phase !== 'ok') assert.ok(again.change !== 'fired' || decidesByTime.has(event.kind))
        state = next
      }
    }),
  )
})
