import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWorse } from './drive-health.ts'

for (const [before, after, expected] of [
  ['PASSED', 'FAILED', true],
  ['PASSED', 'WARNING', true],
  ['WARNING', 'FAILED', true],
  ['FAILED', 'PASSED', false],
  ['FAILED', 'FAILED', false],
  ['', 'FAILED', false],
  ['UNKNOWN', 'FAILED', false],
  ['PASSED', 'UNKNOWN', false],
] as const)
  test(`isWorse: ${before || 'never seen'} → ${after}`, () => assert.equal(isWorse(before, after), expected))
