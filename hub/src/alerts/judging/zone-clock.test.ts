import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { knownZone, minuteOfDay, momentAt } from './zone-clock.ts'

test('knownZone accepts names of time zones only', () => {
  assert.deepEqual(['Asia/Kathmandu', 'UTC', 'Mars/Olympus', 7, '', undefined, {}, ['UTC']].map(knownZone), [
    'Asia/Kathmandu',
    'UTC',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

for (const [at, zone, minute] of [
  ['2026-01-10T00:00:00Z', 'UTC', 0],
  ['2026-01-10T23:59:59Z', 'UTC', 1439],
  ['1969-12-31T23:00:00Z', 'UTC', 1380],
  ['2026-01-10T00:00:00Z', 'Asia/Kathmandu', 345],
  ['2026-07-10T22:30:00Z', 'Europe/Berlin', 30],
] as const) {
  test(`minuteOfDay: ${at} is minute ${minute} in ${zone}`, () => assert.equal(minuteOfDay(Date.parse(at), zone), minute))
}

for (const [minute, zone, expected] of [
  [0, 'UTC', '2026-07-10T00:00:00.000Z'],
  [150, 'Europe/Berlin', '2026-07-10T00:30:00.000Z'],
  [345, 'Asia/Kathmandu', '2026-07-10T00:00:00.000Z'],
  [60, 'America/New_York', '2026-07-10T05:00:00.000Z'],
] as const) {
  test(`momentAt: on a day without a clock change, minute ${minute} in ${zone} is ${expected}`, () => {
    assert.equal(new Date(momentAt(minute, zone, Date.UTC(2026, 6, 10, 12))).toISOString(), expected)
  })
}

test('momentAt returns a time within nine days at which a clock of the zone shows the minute', () => {
  const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) })
  const zones = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1439 }), zones, instants, (minute, zone, nowMs) => {
      const atMs = momentAt(minute, zone, nowMs)
      assert.equal(minuteOfDay(atMs, zone), minute)
      assert.ok(Math.abs(atMs - nowMs) <= 9 * 86_400_000)
    }),
    { numRuns: 2_000 },
  )
})

test('momentAt returns a time on another day for a minute that the clock skips', () => {
  // On 2026-03-29 the clocks of Berlin go from 02:00 to 03:00.
  const atMs = momentAt(150, 'Europe/Berlin', Date.UTC(2026, 2, 29, 12))
  assert.equal(new Date(atMs).toISOString(), '2026-03-28T01:30:00.000Z')
})
