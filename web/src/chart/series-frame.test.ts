import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { frameOfSamples, knownRuns, latestOf, withGaps } from './series-frame.ts'

const MINUTE_MS = 60_000
const window = { fromMs: 0, toMs: 60 * MINUTE_MS }
const sample = (minute: number, values: Readonly<Record<string, number>> = { 'cpu.busyPercent': minute }) => ({
  at: minute * MINUTE_MS,
  values,
})

test('§9 gap detection: frameOfSamples marks a distance of more than 1.5 intervals', () => {
  const frame = frameOfSamples([sample(1), sample(2.6)], window, MINUTE_MS)
  assert.deepEqual(frame.times, [1 * MINUTE_MS, 2 * MINUTE_MS, 2.6 * MINUTE_MS])
  assert.deepEqual(frame.series.get('cpu.busyPercent'), [1, null, 2.6])
})

test('§9 gap detection: frameOfSamples leaves a distance of exactly 1.5 intervals alone', () => {
  assert.equal(frameOfSamples([sample(1), sample(2.5)], window, MINUTE_MS).times.length, 2)
})

test('frameOfSamples has null, not 0, where a sample lacks a series', () => {
  const frame = frameOfSamples([sample(1, { a: 1, b: 2 }), sample(2, { a: 3 })], window, MINUTE_MS)
  assert.deepEqual(frame.series.get('b'), [2, null])
  assert.equal(latestOf(frame, 'b'), undefined)
  assert.equal(latestOf(frame, 'a'), 3)
})

test('frameOfSamples has ascending times and columns of the same length, with any gaps', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 60 }), (steps) => {
      let minute = 0
      const frame = frameOfSamples(
        steps.map((step) => sample((minute += step / 10))),
        window,
        MINUTE_MS,
      )
      assert.deepEqual(
        frame.times,
        frame.times.toSorted((a, b) => a - b),
      )
      for (const column of frame.series.values()) assert.equal(column.length, frame.times.length)
    }),
  )
})

test('frameOfSamples starts a column at the first sample with its series', () => {
  const frame = frameOfSamples([sample(1, { a: 1 }), sample(2, {}), sample(4, { a: 4, b: 5 })], window, MINUTE_MS)
  assert.deepEqual(frame.times, [1 * MINUTE_MS, 2 * MINUTE_MS, 3 * MINUTE_MS, 4 * MINUTE_MS])
  assert.deepEqual(
    [...frame.series],
    [
      ['a', [1, null, null, 4]],
      ['b', [null, null, null, 5]],
    ],
  )
})

test('withGaps copies nothing if there is no gap', () => {
  const frame = { ...window, times: [0, MINUTE_MS], series: new Map([['a', [1, null]]]) }
  assert.equal(withGaps(frame, MINUTE_MS), frame)
})

test('withGaps marks each gap one interval after the last time before it, in every column', () => {
  const frame = {
    ...window,
    times: [0, 1, 5, 9],
    series: new Map([['a', [1, 2, 3, 4]]]),
    extremes: new Map([['a', { minimum: [0, 1, 2, 3], maximum: [2, 3, 4, 5] }]]),
  }
  const marked = withGaps(frame, 1)
  assert.deepEqual(marked.times, [0, 1, 2, 5, 6, 9])
  assert.deepEqual([...marked.series], [['a', [1, 2, null, 3, null, 4]]])
  assert.deepEqual(marked.extremes?.get('a'), { minimum: [0, 1, null, 2, null, 3], maximum: [2, 3, null, 4, null, 5] })
})

test('knownRuns returns the ranges of values between gaps', () => {
  assert.deepEqual(knownRuns([]), [])
  assert.deepEqual(knownRuns([null, null]), [])
  assert.deepEqual(knownRuns([1, 0, null, 5]), [
    { from: 0, to: 2 },
    { from: 3, to: 4 },
  ])
})

test('knownRuns with another column returns the ranges where both columns have values', () => {
  assert.deepEqual(knownRuns([1, 2, 3, null], [null, 5, 6, 7]), [{ from: 1, to: 3 }])
  assert.deepEqual(knownRuns([1, 2], [1]), [{ from: 0, to: 1 }])
})
