import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitAfterMs } from './back-off.ts'

for (const [attempts, asked, minutes] of [
  [1, 0, 1],
  [2, 0, 2],
  [3, 0, 5],
  [5, 0, 20],
  [6, 0, 30],
  [99, 0, 30],
  [1, 600_000, 10],
  [6, 600_000, 30],
  [1, 1e15, 1440],
] as const)
  test(`waitAfterMs: ${attempts} attempts, ${asked} ms asked`, () => assert.equal(waitAfterMs(attempts, asked), minutes * 60_000))
