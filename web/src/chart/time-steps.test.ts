import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTime, type TimeDetail } from '../format/time.ts'
import { timeSteps } from './time-steps.ts'

const start = Date.UTC(2026, 0, 31, 9, 30)

for (const detail of ['time', 'dayAndTime', 'day'] as const satisfies readonly TimeDetail[]) {
  test(`timeSteps of ${detail} ascend, and adjacent labels always differ`, () => {
    const steps = timeSteps[detail]
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    )
    const told = (at: number) => formatTime(at, detail, { locale: 'en-US', timeZone: 'UTC' })
    assert.notEqual(told(start), told(start + (steps[0] ?? 0)))
  })
}
