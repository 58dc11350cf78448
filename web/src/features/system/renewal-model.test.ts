import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRenewalDue } from './renewal-model.ts'

const MINUTE_MS = 60_000

test('isRenewalDue is true for each sample of a one-minute range, and twice per interval of a coarser range', () => {
  const due = (intervalMs: number) => {
    let read = 0
    return Array.from({ length: 60 }, (_, minute) => minute * MINUTE_MS).filter((at) => {
      const isDue = isRenewalDue(read, at, intervalMs)
      if (isDue) read = at
      return isDue
    }).length
  }
  assert.deepEqual([MINUTE_MS, 10 * MINUTE_MS, 20 * MINUTE_MS, 120 * MINUTE_MS].map(due), [59, 11, 5, 0])
})

test("isRenewalDue is true for the first sample of a new system, and after the system's clock was set back", () => {
  assert.equal(isRenewalDue(undefined, undefined, MINUTE_MS), false)
  assert.equal(isRenewalDue(undefined, 5, MINUTE_MS), true)
  assert.equal(isRenewalDue(60 * MINUTE_MS, MINUTE_MS, MINUTE_MS), true)
  assert.equal(isRenewalDue(60 * MINUTE_MS, undefined, MINUTE_MS), false)
})
