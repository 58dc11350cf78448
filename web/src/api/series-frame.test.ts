import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { frameOfColumns, frameOfSamples, latestOf } from './series-frame.ts'

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

test('frameOfSamples has null, never 0, where a sample lacks a series', () => {
  const frame = frameOfSamples([sample(1, { a: 1, b: 2 }), sample(2, { a: 3 })], window, MINUTE_MS)
  assert.deepEqual(frame.series.get('b'), [2, null])
  assert.equal(latestOf(frame, 'b'), undefined)
  assert.equal(latestOf(frame, 'a'), 3)
})

test('frameOfSamples has ascending times and columns of their length, whatever the gaps', () => {
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

test('frameOfColumns reads an answer of the history endpoint', () => {
  const answer = {
    tier: '1m',
    bucketMs: MINUTE_MS,
    from: 0,
    to: 3 * MINUTE_MS,
    times: [MINUTE_MS, 2 * MINUTE_MS],
    series: [{ key: 'cpu.busyPercent', unit: 'percent', kind: 'system', average: [12.5, null] }],
    warnings: [],
  }
  const frame = frameOfColumns(answer)
  assert.deepEqual([...frame.series], [['cpu.busyPercent', [12.5, null]]])
  assert.deepEqual([frame.fromMs, frame.toMs], [0, 3 * MINUTE_MS])
})

test('frameOfColumns keeps minima and maxima where the tier has them, with the same gaps as the averages', () => {
  const bucketMs = 10 * MINUTE_MS
  const answer = {
    tier: '10m',
    bucketMs,
    from: 0,
    to: 60 * MINUTE_MS,
    times: [0, bucketMs, 4 * bucketMs],
    series: [
      { key: 'cpu.busyPercent', average: [5, null, 7], minimum: [1, null, 7], maximum: [9, null, 7] },
      { key: 'memory.usedBytes', average: [1, 2, 3] },
    ],
  }
  const { times, series, extremes } = frameOfColumns(answer)
  assert.deepEqual(times, [0, bucketMs, 2 * bucketMs, 4 * bucketMs])
  assert.deepEqual(series.get('cpu.busyPercent'), [5, null, null, 7])
  assert.deepEqual(extremes?.get('cpu.busyPercent'), { minimum: [1, null, null, 7], maximum: [9, null, null, 7] })
  assert.equal(extremes?.get('memory.usedBytes'), undefined)
})

test('frameOfColumns has no extremes where the tier has none', () => {
  assert.equal(frameOfColumns({ bucketMs: 1, times: [1], series: [{ key: 'a', average: [1] }] }).extremes, undefined)
})

for (const answer of [undefined, null, 7, 'text', [], { times: 'no', series: [{}] }]) {
  test(`frameOfColumns of ${JSON.stringify(answer)} is an empty frame`, () => assert.equal(frameOfColumns(answer).series.size, 0))
}
