import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTimeMs } from './sample-store.ts'

const RECEIVED_MS = Date.UTC(2026, 0, 10, 12)

const cases: readonly (readonly [name: string, takenAtMs: number | undefined, expectedMs: number])[] = [
  ['of an agent that does not say when it measured is its arrival', undefined, RECEIVED_MS],
  ['is when the agent measured', RECEIVED_MS - 25_000, RECEIVED_MS - 25_000],
  ['is believed up to two minutes back', RECEIVED_MS - 120_000, RECEIVED_MS - 120_000],
  ['from further back is its arrival: that clock is wrong', RECEIVED_MS - 120_001, RECEIVED_MS],
  ['from a clock that is ahead is now, never the future', RECEIVED_MS + 90_000, RECEIVED_MS],
  ['from a clock that is far ahead is now', RECEIVED_MS + 86_400_000, RECEIVED_MS],
]

for (const [name, takenAtMs, expectedMs] of cases) {
  test(`sampleTimeMs: a sample ${name}`, () => {
    assert.equal(sampleTimeMs(takenAtMs === undefined ? {} : { takenAtMs }, RECEIVED_MS), expectedMs)
  })
}
