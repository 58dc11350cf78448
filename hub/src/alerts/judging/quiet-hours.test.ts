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
  ['nothing is quiet without a window', [], '2026-01-10T23:00:00Z', BERLIN, undefined],
  ['a night lasts past midnight', [night], '2026-01-10T22:30:00Z', BERLIN, '2026-01-11T06:00:00Z'],
  ['its end is not a part of it', [night], '2026-01-11T06:00:00Z', BERLIN, undefined],
  ['its start is', [night], '2026-01-10T21:00:00Z', BERLIN, '2026-01-11T06:00:00Z'],
  ['in summer it is the same by the clock', [night], '2026-07-10T20:00:00Z', BERLIN, '2026-07-11T05:00:00Z'],
  ['which is not yet quiet in winter', [night], '2026-01-10T20:00:00Z', BERLIN, undefined],
  ['the night in which an hour is skipped is shorter', [night], '2026-03-28T21:00:00Z', BERLIN, '2026-03-29T05:00:00Z'],
  ['the night in which an hour comes twice is longer', [night], '2026-10-24T20:00:00Z', BERLIN, '2026-10-25T06:00:00Z'],
  [
    'an end that is skipped is the jump',
    [daily('2026-01-10T00:00:00Z', '2026-01-10T01:30:00Z')],
    '2026-03-29T00:30:00Z',
    BERLIN,
    '2026-03-29T01:00:00Z',
  ],
  [
    'a zone of half an hour',
    [daily('2026-01-10T16:30:00Z', '2026-01-11T00:30:00Z')],
    '2026-01-10T17:00:00Z',
    'Asia/Kolkata',
    '2026-01-11T00:30:00Z',
  ],
  ['without a zone it is UTC', [night], '2026-07-10T21:00:00Z', 'UTC', '2026-07-11T06:00:00Z'],
  ['an hour of the day begins with its first minute', [noon], '2026-03-05T12:00:00Z', 'UTC', '2026-03-05T13:00:00Z'],
  ['and not before', [noon], '2026-03-05T11:59:00Z', 'UTC', undefined],
  ['and is over with its last', [noon], '2026-03-05T13:00:00Z', 'UTC', undefined],
  [
    'a daily window is not one of the time between the instants it was written down with',
    [daily('2026-01-10T06:00:00Z', '2026-01-12T08:00:00Z')],
    '2026-01-11T12:00:00Z',
    'UTC',
    undefined,
  ],
  [
    'two windows that leave no gap are looked at anew after a week',
    [daily('2026-01-10T00:00:00Z', '2026-01-10T12:00:00Z'), daily('2026-01-10T12:00:00Z', '2026-01-10T00:00:00Z')],
    '2026-03-05T00:00:00Z',
    'UTC',
    '2026-03-12T00:00:00Z',
  ],
  ['one time does not come again the next day', [meeting], '2026-01-11T11:00:00Z', 'UTC', undefined],
  ['one time begins with its first instant', [meeting], '2026-01-10T10:00:00Z', 'UTC', '2026-01-10T12:00:00Z'],
  ['and not before', [meeting], '2026-01-10T09:59:59Z', 'UTC', undefined],
  ['equal start and end is none', [daily('2026-01-10T06:00:00Z', '2026-01-10T06:00:00Z')], '2026-01-10T06:00:00Z', 'UTC', undefined],
  ['nor at another time', [daily('2026-01-10T06:00:00Z', '2026-01-10T06:00:00Z')], '2026-01-10T18:00:00Z', 'UTC', undefined],
  ['one time is between two instants', [meeting], '2026-01-10T11:00:00Z', BERLIN, '2026-01-10T12:00:00Z'],
  ['and over with the second', [meeting], '2026-01-10T12:00:00Z', BERLIN, undefined],
  [
    'windows that follow each other are one',
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
