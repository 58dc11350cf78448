import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { epochOf, wallTimeAt, type WallTime } from '../../../format/zoned-time.ts'
import { earlierParts, earlierWindow } from './earlier-parts.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * HOUR_MS

/** `2026-10-25T02:00Z` as epoch ms. */
const utc = (text: string): number => Date.parse(text)

// Berlin changes at 01:00 UTC: forward on 29 March 2026, back on 25 October. New York changes at 2 o'clock: forward on 8 March at 07:00 UTC, back on 1 November at 06:00 UTC.
for (const [what, zone, days, from, to, expected] of [
  ['no change', 'Europe/Berlin', 1, '2026-10-20T00:00Z', '2026-10-21T00:00Z', [['2026-10-20T00:00Z', 24]]],
  [
    'the day the clocks go back: both passes of 2 o’clock are compared with the one of the previous day',
    'Europe/Berlin',
    1,
    '2026-10-24T22:00Z',
    '2026-10-25T04:00Z',
    [
      ['2026-10-24T22:00Z', 24],
      ['2026-10-25T01:00Z', 25],
    ],
  ],
  [
    'the day after the clocks went back: 2 o’clock is compared with the first pass',
    'Europe/Berlin',
    1,
    '2026-10-25T23:00Z',
    '2026-10-26T05:00Z',
    [
      ['2026-10-25T23:00Z', 25],
      ['2026-10-26T02:00Z', 24],
    ],
  ],
  [
    'the day the clocks go forward',
    'Europe/Berlin',
    1,
    '2026-03-28T23:00Z',
    '2026-03-29T05:00Z',
    [
      ['2026-03-28T23:00Z', 24],
      ['2026-03-29T01:00Z', 23],
    ],
  ],
  [
    'the day after the clocks went forward: 2 o’clock is compared with nothing',
    'Europe/Berlin',
    1,
    '2026-03-29T22:00Z',
    '2026-03-30T04:00Z',
    [
      ['2026-03-29T22:00Z', 23],
      ['2026-03-30T00:00Z', undefined],
      ['2026-03-30T01:00Z', 24],
    ],
  ],
  [
    'both days of a change in one window',
    'Europe/Berlin',
    1,
    '2026-03-28T12:00Z',
    '2026-03-30T12:00Z',
    [
      ['2026-03-28T12:00Z', 24],
      ['2026-03-29T01:00Z', 23],
      ['2026-03-30T00:00Z', undefined],
      ['2026-03-30T01:00Z', 24],
    ],
  ],
  [
    'the week before',
    'Europe/Berlin',
    7,
    '2026-10-20T00:00Z',
    '2026-11-03T00:00Z',
    [
      ['2026-10-20T00:00Z', 168],
      ['2026-10-25T01:00Z', 169],
      ['2026-11-01T02:00Z', 168],
    ],
  ],
  [
    'clocks go back in New York',
    'America/New_York',
    1,
    '2026-11-01T00:00Z',
    '2026-11-03T00:00Z',
    [
      ['2026-11-01T00:00Z', 24],
      ['2026-11-01T06:00Z', 25],
      ['2026-11-02T07:00Z', 24],
    ],
  ],
  [
    'clocks go forward in New York',
    'America/New_York',
    7,
    '2026-03-07T00:00Z',
    '2026-03-16T00:00Z',
    [
      ['2026-03-07T00:00Z', 168],
      ['2026-03-08T07:00Z', 167],
      ['2026-03-15T06:00Z', undefined],
      ['2026-03-15T07:00Z', 168],
    ],
  ],
] as const) {
  test(`earlierParts: ${what}, in ${zone}`, () => {
    const parts = earlierParts({ fromMs: utc(from), toMs: utc(to) }, days, zone)
    assert.deepEqual(
      parts.map(({ fromMs, shiftMs }) => [
        `${new Date(fromMs).toISOString().slice(0, 16)}Z`,
        shiftMs === undefined ? undefined : shiftMs / HOUR_MS,
      ]),
      expected,
    )
  })
}

test('earlierParts without another day returns no earlier time', () => {
  assert.deepEqual(earlierParts({ fromMs: 1, toMs: 2 }, 0, 'Europe/Berlin'), [{ fromMs: 1, shiftMs: 0 }])
})

for (const [what, from, to, expected] of [
  [
    'one hour longer if the clocks went back in between',
    '2026-10-25T23:00Z',
    '2026-10-26T05:00Z',
    ['2026-10-24T22:00:00Z', '2026-10-25T05:00:00Z'],
  ],
  [
    'one hour shorter if the clocks went forward in between',
    '2026-03-29T22:00Z',
    '2026-03-30T04:00Z',
    ['2026-03-28T23:00:00Z', '2026-03-29T04:00:00Z'],
  ],
  ['a skipped hour', '2026-03-30T00:10Z', '2026-03-30T00:40Z', ['2026-03-29T00:10:00Z', '2026-03-29T00:40:00Z']],
] as const) {
  test(`earlierWindow: ${what}`, () => {
    const { fromMs, toMs } = earlierWindow({ fromMs: utc(from), toMs: utc(to) }, 1, 'Europe/Berlin')
    assert.deepEqual([fromMs, toMs], expected.map(utc))
  })
}

/** The same local hour, as UTC. */
const asUtc = ({ year, month, day, hour, minute }: WallTime): number => Date.UTC(year, month - 1, day, hour, minute)

test('earlierParts aligns every minute with the same local time, or with nothing where that time was skipped', () => {
  const minutes = fc.integer({ min: Date.UTC(2020, 0, 1) / MINUTE_MS, max: Date.UTC(2030, 0, 1) / MINUTE_MS })
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Casablanca', 'UTC')
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.record({
        minute: minutes,
        length: fc.integer({ min: 1, max: 40 * 24 * 60 }),
        where: share,
        zone: zones,
        days: fc.constantFrom(1, 7),
      }),
      ({ minute, length, where, zone, days }) => {
        const window = { fromMs: minute * MINUTE_MS + 12_345, toMs: (minute + length) * MINUTE_MS + 54_321 }
        const parts = earlierParts(window, days, zone)
        const at = window.fromMs + Math.floor(length * where) * MINUTE_MS
        const part = parts.findLast(({ fromMs }) => fromMs <= at)
        assert.ok(part !== undefined)
        const wanted = asUtc(wallTimeAt(at, zone)) - days * DAY_MS
        if (part.shiftMs !== undefined) {
          assert.equal(asUtc(wallTimeAt(at - part.shiftMs, zone)), wanted)
          const earlier = earlierWindow(window, days, zone)
          assert.ok(at - part.shiftMs >= earlier.fromMs && at - part.shiftMs <= earlier.toMs)
          return
        }
        const date = new Date(wanted)
        const wall = {
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
          hour: date.getUTCHours(),
          minute: date.getUTCMinutes(),
        }
        assert.notEqual(asUtc(wallTimeAt(epochOf(wall, zone), zone)), wanted)
      },
    ),
    { numRuns: 300 },
  )
})
