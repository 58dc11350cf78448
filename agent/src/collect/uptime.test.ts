import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseUptimeSeconds } from './uptime.ts'

for (const [text, expected] of [
  ['350735.47 234388.90\n', 350_735],
  ['0.99 0.00\n', 0],
  ['17 3\n', 17],
] as const) {
  test(`parseUptimeSeconds: "${text.trim()}" is ${expected}`, () => assert.equal(parseUptimeSeconds(text), expected))
}

for (const text of ['', 'up 3 days', '-1.0 0', '5']) {
  test(`parseUptimeSeconds refuses "${text}"`, () => assert.throws(() => parseUptimeSeconds(text), SyntaxError))
}
