import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ranges } from '../api/ranges.ts'
import { detailOf, formatTime } from './time.ts'

const at = Date.UTC(2026, 0, 31, 9, 30)
const format = { locale: 'en-GB', timeZone: 'UTC' }
const expected = { '1h': '09:30', '12h': '09:30', '24h': '09:30', '1w': '31 Jan, 09:30', '30d': '31 Jan' } as const

for (const { id, spanMs } of ranges) {
  test(`§9 displayed times: ${id} uses "${expected[id]}"`, () => assert.equal(formatTime(at, detailOf(spanMs), format), expected[id]))
}
