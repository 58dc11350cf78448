import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSchedule, nextAfter } from './schedule.ts'

for (const [cron, is] of [
  ['0 4 * * *', true],
  ['*/15 * * * 1-5', true],
  ['0 0 29 2 *', true],
  ['', false],
  ['now', false],
  ['61 * * * *', false],
  ['0 0 4 * * *', false],
  ['0 0 31 2 *', false],
] as const)
  test(`isSchedule: "${cron}" is ${is ? 'valid' : 'invalid'}`, () => assert.equal(isSchedule(cron), is))

test('nextAfter computes the next time in UTC, strictly after the given time', () => {
  const at = (text: string) => Date.parse(`${text}Z`)
  assert.equal(nextAfter('0 4 * * *', at('2026-03-29T03:59:59')), at('2026-03-29T04:00:00'))
  assert.equal(nextAfter('0 4 * * *', at('2026-03-29T04:00:00')), at('2026-03-30T04:00:00'))
})
