import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ranges } from '../api/ranges.ts'
import { detailOf, formatTime, formatWindow } from './time.ts'

const at = Date.UTC(2026, 0, 31, 9, 30)
const thisYear = 2026
const format = { locale: 'en-GB', timeZone: 'UTC', thisYear }

test('formatTime uses the given clock of 12 or 24 hours, also at midnight', () => {
  const midnight = Date.UTC(2026, 0, 31)
  assert.equal(formatTime(midnight, 'time', { locale: 'en-US', timeZone: 'UTC', hours: 24, thisYear }), '00:00')
  assert.equal(formatTime(midnight, 'time', { locale: 'de', timeZone: 'UTC', hours: 12, thisYear }), '12:00 AM')
})

test('formatTime on a clock of 12 hours writes hours without a leading zero', () => {
  assert.match(formatTime(at, 'time', { locale: 'en-US', timeZone: 'UTC', thisYear }), /^9:30\sAM$/)
  assert.match(formatTime(at, 'dayAndTime', { locale: 'en-GB', timeZone: 'UTC', hours: 12, thisYear }), /^31 Jan, 9:30\sam$/)
  assert.equal(formatTime(at, 'time', { locale: 'en-US', timeZone: 'UTC', hours: 24, thisYear }), '09:30')
  assert.equal(formatTime(at, 'time', { locale: 'de', timeZone: 'UTC', thisYear }), '09:30')
})

test('formatTime to the second uses the given clock and time zone, and has no date', () => {
  const second = at + 7_000
  assert.equal(formatTime(second, 'second', { ...format, thisYear: 2027 }), '09:30:07')
  assert.equal(formatTime(second, 'second', { locale: 'de', timeZone: 'Europe/Berlin', thisYear }), '10:30:07')
  assert.match(formatTime(second, 'second', { ...format, hours: 12 }), /^9:30:07\sam$/)
})

test('formatTime adds the zone’s name to the second pass of a repeated hour, and not to the first', () => {
  const berlin = { locale: 'de', timeZone: 'Europe/Berlin', thisYear }
  const change = Date.UTC(2026, 9, 25, 1)
  const times = [-30, 0, 30, 60].map((minutes) => formatTime(change + minutes * 60_000, 'time', berlin))
  assert.deepEqual(times, ['02:30', '02:00 MEZ', '02:30 MEZ', '03:00'])
  assert.equal(formatTime(change + 60_000 - 1, 'dayAndTime', berlin), '25. Okt., 02:00 MEZ')
  assert.equal(formatWindow(change - 1_800_000, change + 1_800_000, berlin), '25. Okt., 02:30 – 25. Okt., 02:30 MEZ')
  // In spring the clocks go forward; on Lord Howe Island they change by half an hour.
  assert.equal(formatTime(Date.UTC(2026, 2, 29, 1), 'time', berlin), '03:00')
  const island = { locale: 'en-GB', timeZone: 'Australia/Lord_Howe', thisYear }
  const back = Date.UTC(2026, 3, 4, 15)
  assert.deepEqual(
    [-30, -1, 0, 29, 30].map((minutes) => formatTime(back + minutes * 60_000, 'time', island)),
    ['01:30', '01:59', '01:30 GMT+10:30', '01:59 GMT+10:30', '02:00'],
  )
})

test('formatTime and formatWindow add the year to dates outside the current year, in the time zone', () => {
  const nextYear = { ...format, thisYear: 2027 }
  assert.equal(formatTime(at, 'dayAndTime', format), '31 Jan, 09:30')
  assert.equal(formatTime(at, 'dayAndTime', nextYear), '31 Jan 2026, 09:30')
  assert.equal(formatTime(at, 'day', nextYear), '31 Jan 2026')
  assert.equal(formatTime(at, 'time', nextYear), '09:30')
  assert.equal(formatTime(at, 'day', { ...format, thisYear: undefined }), '31 Jan 2026')
  const newYear = Date.UTC(2027, 0, 1)
  assert.equal(formatTime(newYear - 1, 'day', format), '31 Dec')
  assert.equal(formatTime(newYear, 'day', format), '1 Jan 2027')
  assert.equal(formatTime(newYear, 'day', { ...format, timeZone: 'America/New_York' }), '31 Dec')
  assert.equal(formatTime(newYear - 1, 'day', { ...format, timeZone: 'Asia/Tokyo' }), '1 Jan 2027')
  assert.match(formatWindow(at, Date.UTC(2027, 1, 1, 9, 30), format), /^31 Jan 2026, 09:30\s–\s1 Feb 2027, 09:30$/)
})

const expected = { '1h': '09:30', '12h': '09:30', '24h': '09:30', '1w': '31 Jan, 09:30', '30d': '31 Jan' } as const

for (const { id, spanMs } of ranges) {
  test(`§9 displayed times: ${id} uses "${expected[id]}"`, () => assert.equal(formatTime(at, detailOf(spanMs), format), expected[id]))
}
