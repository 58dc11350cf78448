import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDurationMs } from './durations.ts'

for (const [text, expectedMs] of [
  ['2100ms', 2100],
  ['2.1s', 2100],
  ['90s', 90_000],
  ['1m30s', 90_000],
  ['1h', 3_600_000],
  ['500us', 0.5],
  ['0s', 0],
  ['', undefined],
  ['90', undefined],
  ['s', undefined],
  ['-1s', undefined],
  ['1 s', undefined],
  ['1d', undefined],
  ['.5s', undefined],
] as const) {
  test(`parseDurationMs: "${text}" is ${expectedMs}`, () => assert.equal(parseDurationMs(text), expectedMs))
}
