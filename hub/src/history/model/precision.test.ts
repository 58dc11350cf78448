import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  finestStep,
  fromSteps,
  isStep,
  MOST_STEPS,
  nearestHundredth,
  roundToStep,
  roundedAverage,
  toSteps,
  type PrecisionStep,
} from './precision.ts'

const MEBIBYTE = 2 ** 20
const GIBIBYTE = 2 ** 30

for (const [step, value, count, back] of [
  [0, 12.4, 12, 12],
  [0, 12.5, 13, 13],
  [1, 12.344, 1234, 12.34],
  [1, 12.346, 1235, 12.35],
  [2, 1.5 * GIBIBYTE, 150, 1.5 * GIBIBYTE],
  [2, 0.01 * GIBIBYTE, 1, 10_737_418],
  [3, 1.5 * MEBIBYTE, 150, 1.5 * MEBIBYTE],
  [3, 0.01 * MEBIBYTE, 1, 10_486],
] as const) {
  test(`toSteps: ${value} is ${count} steps of kind ${step}, and fromSteps returns ${back}`, () => {
    assert.equal(toSteps(step, value), count)
    assert.equal(fromSteps(step, count), back)
  })
}

test('toSteps returns positive zero for negative values that round to zero', () => {
  for (const step of [0, 1] as const) for (const value of [-0, -0.001]) assert.ok(Object.is(toSteps(step, value), 0))
})

for (const [key, step] of [
  ['cpu.busyPercent', 1],
  ['temperature.a.celsius', 1],
  ['gpu.0.powerWatts', 1],
  ['gpu.0.memoryMegabytes', 1],
  ['disk.readAwaitMs', 1],
  ['load.oneMinute', 1],
  ['memory.usedBytes', 0],
  ['network.sentBytesPerSecond', 0],
  ['fan.a.rpm', 0],
  ['disk.inodesUsed', 0],
  ['battery.state', 0],
] as const) {
  test(`finestStep of ${key} is ${step === 0 ? 'a whole number' : 'a hundredth'}`, () => assert.equal(finestStep(key), step))
}

test('roundToStep keeps numbers that are too large to count in steps', () => {
  assert.equal(roundToStep(0, MOST_STEPS), MOST_STEPS)
  assert.equal(roundToStep(0, MOST_STEPS + 0.5), MOST_STEPS + 0.5)
  assert.equal(roundToStep(0, -MOST_STEPS - 0.75), -MOST_STEPS - 0.75)
  assert.equal(roundToStep(0, 1.4), 1)
  assert.equal(roundToStep(1, MOST_STEPS / 100), MOST_STEPS / 100)
  assert.equal(roundToStep(1, MOST_STEPS / 10 + 0.001), MOST_STEPS / 10 + 0.001)
  assert.equal(roundToStep(1, 1.006), 1.01)
})

test('nearestHundredth removes the floating-point error of a sum where numbers are exact enough', () => {
  assert.equal(nearestHundredth(0.1 + 0.2), 0.3)
  assert.equal(nearestHundredth(1.005 + 1e-9), 1.01)
  assert.ok(Object.is(nearestHundredth(-0.001), 0))
  assert.equal(nearestHundredth(2 ** 60), 2 ** 60)
  assert.equal(nearestHundredth(91000000000000.11), 91000000000000.11)
  assert.equal(nearestHundredth(-(2 ** 52) - 0.5), -(2 ** 52) - 0.5)
})

for (const [value, expected] of [
  [65_535.4, 65_535],
  [65_536, 65_536],
  [65_537.4, 65_538],
  [-65_537.4, -65_538],
  [131_071, 131_072],
  [9_999_999, 9_999_872],
  [10_000_065, 10_000_128],
] as const) {
  test(`roundedAverage rounds an average of ${value} bytes to ${expected}`, () => assert.equal(roundedAverage(0, value), expected))
}

test('roundedAverage keeps hundredths of any size, and rounds bytes by at most 1/65,536', () => {
  assert.equal(roundedAverage(1, 100_000.129), 100_000.13)
  fc.assert(
    fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (value) => {
      assert.ok(Math.abs(roundedAverage(0, value) - value) <= Math.max(0.5, Math.abs(value) / 2 ** 16))
    }),
  )
})

test('isStep accepts the four kinds of steps only', () => {
  assert.deepEqual([-1, 0, 1, 2, 3, 4].filter(isStep), [0, 1, 2, 3] satisfies PrecisionStep[])
})
