import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSpan } from './span.ts'

for (const [spanMs, text] of [
  [-1, '0 seconds'],
  [59_999, '59 seconds'],
  [60_000, '1 minute'],
  [3_600_000, '1 hour'],
  [2_592_000_000, '30 days'],
] as const) {
  test(`formatSpan of ${spanMs} ms is "${text}"`, () => assert.equal(formatSpan(spanMs, { locale: 'en' }), text))
}
