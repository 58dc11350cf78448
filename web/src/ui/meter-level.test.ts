import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelOf } from './meter-level.ts'

for (const [percent, level] of [
  [0, 'ok'],
  [74.9, 'ok'],
  [75, 'warn'],
  [90, 'crit'],
] as const) {
  test(`levelOf ${percent} % is ${level}`, () => assert.equal(levelOf(percent), level))
}
