import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ranges } from '../api/ranges.ts'
import { detailOf, formatDates, formatTime, formatWindow } from './time.ts'

const at = Date.UTC(2026, 0, 31, 9, 30)
const format = { locale: 'en-GB', timeZone: 'UTC' }
test('formatTime keeps to the clock it is given, midnight included', () => {
  const midnight = Date.UTC(2026, 0, 31)
  assert.equal(formatTime(midnight, 'time', { locale: 'en-US', timeZone: 'UTC', hours: 24 }), '00:00')
  assert.equal(formatTime(midnight, 'time', { locale: 'de', timeZone: 'UTC', hours: 12 }), '12:00 AM')
})

test('formatTime: a clock of twelve hours has no zero before its hours', () => {
  assert.match(formatTime(at, 'time', { locale: 'en-US', timeZone: 'UTC' }), /^9:30\sAM$/)
  assert.match(formatTime(at, 'dayAndTime', { locale: 'en-GB', timeZone: 'UTC', hours: 12 }), /^31 Jan, 9:30\sam$/)
  assert.equal(formatTime(at, 'time', { locale: 'en-US', timeZone: 'UTC', hours: 24 }), '09:30')
  assert.equal(formatTime(at, 'time', { locale: 'de', timeZone: 'UTC' }), '09:30')
})

test('formatTime: an hour that the clocks have for the second time has its zone’s name, the first has not', () => {
  const berlin = { locale: 'de', timeZone: 'Europe/Berlin' }
  const change = Date.UTC(2026, 9, 25, 1)
  const times = [-30, 0, 30, 60].map((minutes) => formatTime(change + minutes * 60_000, 'time', berlin))
  assert.deepEqual(times, ['02:30', '02:00 MEZ', '02:30 MEZ', '03:00'])
  assert.equal(formatTime(change + 60_000 - 1, 'dayAndTime', berlin), '25. Okt., 02:00 MEZ')
  assert.equal(formatWindow(change - 1_800_000, change + 1_800_000, berlin), '25. Okt., 02:30 – 25. Okt., 02:30 MEZ')
  // Ahead in spring, and by half an hour.
  assert.equal(formatTime(Date.UTC(2026, 2, 29, 1), 'time', berlin), '03:00')
  const island = { locale: 'en-GB', timeZone: 'Australia/Lord_Howe' }
  const back = Date.UTC(2026, 3, 4, 15)
  assert.deepEqual(
    [-30, -1, 0, 29, 30].map((minutes) => formatTime(back + minutes * 60_000, 'time', island)),
    ['01:30', '01:59', '01:30 GMT+10:30', '01:59 GMT+10:30', '02:00'],
  )
})

test('formatTime and formatDates: what may be old has its year', () => {
  assert.equal(formatTime(at, 'date', format), '31 Jan 2026, 09:30')
  const later = Date.UTC(2027, 1, 1, 9, 30)
  assert.match(formatDates(at, later, format), /^31 Jan 2026, 09:30\s–\s1 Feb 2027, 09:30$/)
})

const expected = { '1h': '09:30', '12h': '09:30', '24h': '09:30', '1w': '31 Jan, 09:30', '30d': '31 Jan' } as const

for (const { id, spanMs } of ranges) {
  test(`§9 displayed times: ${id} uses "${expected[id]}"`, () => assert.equal(formatTime(at, detailOf(spanMs), format), expected[id]))
}
