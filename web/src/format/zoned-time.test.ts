import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { daysBefore, epochOf, wallTimeAt } from './zoned-time.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

for (const [zone, at, wall] of [
  ['Asia/Kathmandu', Date.UTC(2026, 0, 31, 9, 30), [2026, 1, 31, 15, 15]],
  ['America/St_Johns', Date.UTC(2026, 0, 1, 2, 0), [2025, 12, 31, 22, 30]],
  ['Europe/Berlin', Date.UTC(2026, 6, 1, 22, 0), [2026, 7, 2, 0, 0]],
] as const) {
  test(`wallTimeAt and epochOf are inverse functions in ${zone}`, () => {
    const told = wallTimeAt(at, zone)
    assert.deepEqual([told.year, told.month, told.day, told.hour, told.minute], wall)
    assert.equal(epochOf(told, zone), at)
  })
}

test('epochOf finds every minute, except the second pass of a repeated hour', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia']
  const minutes = fc.integer({ min: Date.UTC(2000, 0, 1) / MINUTE_MS, max: Date.UTC(2040, 0, 1) / MINUTE_MS })
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
      const at = minute * MINUTE_MS
      const found = epochOf(wallTimeAt(at, zone), zone)
      assert.ok(found === at || Math.abs(found - at) <= HOUR_MS)
      assert.deepEqual(wallTimeAt(found, zone), wallTimeAt(at, zone))
    }),
  )
})

test('epochOf places a day before the first of a month in the previous month', () => {
  const first = { year: 2026, month: 3, day: 0, hour: 0, minute: 0 }
  assert.deepEqual(wallTimeAt(epochOf(first, 'UTC'), 'UTC'), { year: 2026, month: 2, day: 28, hour: 0, minute: 0 })
})

for (const [zone, at, days, hours] of [
  ['UTC', Date.UTC(2026, 9, 26, 9), 1, 24],
  // The clocks are set back on 25 October 2026, and forward on 29 March.
  ['Europe/Berlin', Date.UTC(2026, 9, 26, 9), 1, 24],
  ['Europe/Berlin', Date.UTC(2026, 9, 25, 9), 1, 25],
  ['Europe/Berlin', Date.UTC(2026, 9, 28, 9), 7, 169],
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 9), 1, 23],
  ['Europe/Berlin', Date.UTC(2026, 2, 30, 9), 7, 167],
] as const) {
  test(`daysBefore goes ${hours} h back for ${days} d from ${new Date(at).toISOString()} in ${zone}`, () => {
    assert.equal(daysBefore(at + 1_234, days, zone), at + 1_234 - hours * HOUR_MS)
  })
}

test('daysBefore is undefined if that local time was skipped, and returns the first pass of a repeated hour', () => {
  assert.equal(daysBefore(Date.UTC(2026, 2, 30, 0, 30), 1, 'Europe/Berlin'), undefined)
  assert.equal(daysBefore(Date.UTC(2026, 9, 26, 1, 30), 1, 'Europe/Berlin'), Date.UTC(2026, 9, 25, 0, 30))
})

const DAY_MS = 24 * HOUR_MS
const FROM_MS = Date.UTC(2020, 0, 1)
const TO_MS = Date.UTC(2030, 0, 1)
/** Shorter than the time between two changes: even in Morocco the clocks change a month apart. */
const LOOK_EVERY_MS = 14 * DAY_MS

/** The offset of a zone from UTC in minutes, from the platform. It is independent of the code under test. */
function offsetsOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
  return (at) => {
    const [, sign, hours, minutes = '0'] = /GMT(?:([+-])(\d\d):?(\d\d)?)?/.exec(format.format(at)) ?? []
    return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  }
}

/** The times in ten years at which the clocks of a zone change. */
function changesOf(offset: (at: number) => number): readonly number[] {
  const changes: number[] = []
  for (let at = FROM_MS; at < TO_MS; at += LOOK_EVERY_MS) {
    let [low, high] = [at, at + LOOK_EVERY_MS]
    if (offset(low) === offset(high)) continue
    while (high - low > MINUTE_MS) {
      const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS
      if (offset(middle) === offset(low)) low = middle
      else high = middle
    }
    changes.push(high)
  }
  return changes
}

const dayOf = ({ year, month, day }: ReturnType<typeof wallTimeAt>): number => Date.UTC(year, month - 1, day)

test('epochOf of midnight is the first minute of the day in every zone, around each change of its clocks in ten years', () => {
  let skipped = 0
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const changes = changesOf(offsetsOf(zone))
    for (const at of [FROM_MS, ...changes.flatMap((change) => [change - DAY_MS, change, change + DAY_MS])]) {
      const today = wallTimeAt(at, zone)
      const midnight = epochOf({ ...today, hour: 0, minute: 0 }, zone)
      const first = wallTimeAt(midnight, zone)
      if (first.hour > 0) skipped += 1
      assert.equal(dayOf(first), dayOf(today), `${zone} ${new Date(at).toISOString()}`)
      assert.ok(dayOf(wallTimeAt(midnight - MINUTE_MS, zone)) < dayOf(today), `${zone} ${new Date(at).toISOString()}`)
    }
  }
  assert.ok(skipped > 0)
})

test('epochOf of midnight is the first minute of any day of ten years in any zone', () => {
  const days = fc.integer({ min: 0, max: (TO_MS - FROM_MS) / DAY_MS })
  fc.assert(
    fc.property(days, fc.constantFrom(...Intl.supportedValuesOf('timeZone')), (day, zone) => {
      const today = wallTimeAt(FROM_MS + day * DAY_MS, zone)
      const midnight = epochOf({ ...today, hour: 0, minute: 0 }, zone)
      assert.equal(dayOf(wallTimeAt(midnight, zone)), dayOf(today))
      assert.ok(dayOf(wallTimeAt(midnight - MINUTE_MS, zone)) < dayOf(today))
    }),
    { numRuns: 2_000 },
  )
})

for (const [zone, day, begins] of [
  ['America/Santiago', { year: 2026, month: 9, day: 6 }, '2026-09-06T04:00:00.000Z'],
  ['America/Havana', { year: 2026, month: 3, day: 8 }, '2026-03-08T05:00:00.000Z'],
] as const)
  test(`epochOf of a skipped midnight is one o’clock: ${zone}`, () => {
    assert.equal(new Date(epochOf({ ...day, hour: 0, minute: 0 }, zone)).toISOString(), begins)
  })
