import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTimeMs } from './sample-store.ts'

const RECEIVED_MS = Date.UTC(2026, 0, 10, 12)

const cases: readonly (readonly [name: string, takenAtMs: number | undefined, expectedMs: number])[] = [
  ['without a time gets its arrival time', undefined, RECEIVED_MS],
  ['keeps the time of its measurement', RECEIVED_MS - 25_000, RECEIVED_MS - 25_000],
  ['keeps a time up to two minutes in the past', RECEIVED_MS - 120_000, RECEIVED_MS - 120_000],
  ['with an older time gets its arrival time, because that clock is wrong', RECEIVED_MS - 120_001, RECEIVED_MS],
  ['with a time in the future gets its arrival time', RECEIVED_MS + 90_000, RECEIVED_MS],
  ['with a time far in the future gets its arrival time', RECEIVED_MS + 86_400_000, RECEIVED_MS],
]

for (const [name, takenAtMs, expectedMs] of cases) {
  test(`sampleTimeMs: a sample ${name}`, () => {
    assert.equal(sampleTimeMs(takenAtMs === undefined ? {} : { takenAtMs }, RECEIVED_MS), expectedMs)
  })
}
