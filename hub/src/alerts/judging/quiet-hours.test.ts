import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quietUntil, type QuietWindow } from './quiet-hours.ts'

const at = (text: string): number => Date.parse(text)
const daily = (start: string, end: string): QuietWindow => ({ type: 'daily', startMs: at(start), endMs: at(end) })
const once = (start: string, end: string): QuietWindow => ({ type: 'one-time', startMs: at(start), endMs: at(end) })

/** 22:00 to 07:00 in Berlin, stored in winter. */
const night = daily('2026-01-10T21:00:00Z', '2026-01-10T06:00:00Z')
const BERLIN = 'Europe/Berlin'

/** 12:00 to 13:00 UTC. */
const noon = daily('2026-01-10T12:00:00Z', '2026-01-10T13:00:00Z')
const meeting = once('2026-01-10T10:00:00Z', '2026-01-10T12:00:00Z')

const cases: readonly (readonly [
  what: string,
  windows: readonly QuietWindow[],
  atTime: string,
  zone: string,
  until: string | undefined,
])[] = [
  ['undefined without windows', [], '2026-01-10T23:00:00Z', BERLIN, undefined],
  ['a daily window past midnight ends the next morning', [night], '2026-01-10T22:30:00Z', BERLIN, '2026-01-11T06:00:00Z'],
  ['the end of a daily window is not quiet', [night], '2026-01-11T06:00:00Z', BERLIN, undefined],
  ['the start of a daily window is quiet', [night], '2026-01-10T21:00:00Z', BERLIN, '2026-01-11T06:00:00Z'],
  ['a daily window stored in winter keeps its wall-clock time in summer', [night], '2026-07-10T20:00:00Z', BERLIN, '2026-07-11T05:00:00Z'],
  ['the summer start of a daily window is not quiet in winter', [night], '2026-01-10T20:00:00Z', BERLIN, undefined],
  ['a daily window is an hour shorter when the clocks skip an hour', [night], '2026-03-28T21:00:00Z', BERLIN, '2026-03-29T05:00:00Z'],
  ['a daily window is an hour longer when the clocks repeat an hour', [night], '2026-10-24T20:00:00Z', BERLIN, '2026-10-25T06:00:00Z'],
  [
    'a daily window whose end the clocks skip ends at the skip',
    [daily('2026-01-10T00:00:00Z', '2026-01-10T01:30:00Z')],
    '2026-03-29T00:30:00Z',
    BERLIN,
    '2026-03-29T01:00:00Z',
  ],
  [
    'a daily window works in a zone with a half-hour offset',
    [daily('2026-01-10T16:30:00Z', '2026-01-11T00:30:00Z')],
    '2026-01-10T17:00:00Z',
    'Asia/Kolkata',
    '2026-01-11T00:30:00Z',
  ],
  ['a daily window in UTC does not move in summer', [night], '2026-07-10T21:00:00Z', 'UTC', '2026-07-11T06:00:00Z'],
  ['a one-hour daily window begins with its first minute', [noon], '2026-03-05T12:00:00Z', 'UTC', '2026-03-05T13:00:00Z'],
  ['a one-hour daily window does not begin a minute early', [noon], '2026-03-05T11:59:00Z', 'UTC', undefined],
  ['a one-hour daily window is over at its end', [noon], '2026-03-05T13:00:00Z', 'UTC', undefined],
  [
    'a daily window does not cover the days between its stored start and end',
    [daily('2026-01-10T06:00:00Z', '2026-01-12T08:00:00Z')],
    '2026-01-11T12:00:00Z',
    'UTC',
    undefined,
  ],
  [
    'two windows without a gap return a time one week later',
    [daily('2026-01-10T00:00:00Z', '2026-01-10T12:00:00Z'), daily('2026-01-10T12:00:00Z', '2026-01-10T00:00:00Z')],
    '2026-03-05T00:00:00Z',
    'UTC',
    '2026-03-12T00:00:00Z',
  ],
  ['a one-time window does not repeat the next day', [meeting], '2026-01-11T11:00:00Z', 'UTC', undefined],
  ['a one-time window begins at its start', [meeting], '2026-01-10T10:00:00Z', 'UTC', '2026-01-10T12:00:00Z'],
  ['a one-time window does not begin a second early', [meeting], '2026-01-10T09:59:59Z', 'UTC', undefined],
  [
    'a daily window with equal start and end is not quiet at its start',
    [daily('2026-01-10T06:00:00Z', '2026-01-10T06:00:00Z')],
    '2026-01-10T06:00:00Z',
    'UTC',
    undefined,
  ],
  [
    'a daily window with equal start and end is not quiet at another time',
    [daily('2026-01-10T06:00:00Z', '2026-01-10T06:00:00Z')],
    '2026-01-10T18:00:00Z',
    'UTC',
    undefined,
  ],
  ['a one-time window is quiet between its start and end', [meeting], '2026-01-10T11:00:00Z', BERLIN, '2026-01-10T12:00:00Z'],
  ['a one-time window is over at its end', [meeting], '2026-01-10T12:00:00Z', BERLIN, undefined],
  [
    'overlapping windows end with the last one',
    [night, once('2026-01-11T05:00:00Z', '2026-01-11T09:00:00Z')],
    '2026-01-10T23:00:00Z',
    BERLIN,
    '2026-01-11T09:00:00Z',
  ],
]

for (const [what, windows, atTime, zone, until] of cases) {
  test(`quietUntil: ${what}`, () => {
    const found = quietUntil(windows, at(atTime), zone)
    assert.equal(found === undefined ? undefined : new Date(found).toISOString(), until?.replace('Z', '.000Z'))
  })
}

test('quietUntil: the time that it returns is not quiet, except for windows without a gap', () => {
  const instants = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') })
  const windows = fc.array(
    fc.record({ type: fc.constantFrom('daily' as const, 'one-time' as const), startMs: instants, endMs: instants }),
    { maxLength: 3 },
  )
  const zones = fc.constantFrom('UTC', BERLIN, 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe')
  fc.assert(
    fc.property(windows, instants, zones, (some, atMs, zone) => {
      const until = quietUntil(some, atMs, zone)
      if (until === undefined) return
      assert.ok(until > atMs)
      if (until < atMs + 6 * 86_400_000) assert.equal(quietUntil(some, until, zone), undefined)
    }),
    { numRuns: 60 },
  )
})
