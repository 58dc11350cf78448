import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFrame } from './stats.ts'

const MINUTE_MS = 60_000

test('readFrame reads a response of the history endpoint', () => {
  const response = {
    tier: '1m',
    bucketMs: MINUTE_MS,
    from: 0,
    to: 3 * MINUTE_MS,
    times: [MINUTE_MS, 2 * MINUTE_MS],
    series: [{ key: 'cpu.busyPercent', unit: 'percent', kind: 'system', average: [12.5, null] }],
    warnings: [],
  }
  const frame = readFrame(response)
  assert.deepEqual([...frame.series], [['cpu.busyPercent', [12.5, null]]])
  assert.deepEqual([frame.fromMs, frame.toMs], [0, 3 * MINUTE_MS])
})

test('readFrame keeps minima and maxima of tiers that have them, with the same gaps as the averages', () => {
  const bucketMs = 10 * MINUTE_MS
  const response = {
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
  const { times, series, extremes } = readFrame(response)
  assert.deepEqual(times, [0, bucketMs, 2 * bucketMs, 4 * bucketMs])
  assert.deepEqual(series.get('cpu.busyPercent'), [5, null, null, 7])
  assert.deepEqual(extremes?.get('cpu.busyPercent'), { minimum: [1, null, null, 7], maximum: [9, null, null, 7] })
  assert.equal(extremes?.get('memory.usedBytes'), undefined)
})

test('readFrame has no minima and maxima for a tier without them', () => {
  assert.equal(readFrame({ bucketMs: 1, times: [1], series: [{ key: 'a', average: [1] }] }).extremes, undefined)
})

for (const response of [undefined, null, 7, 'text', [], { times: 'no', series: [{}] }]) {
  test(`readFrame of ${JSON.stringify(response)} is an empty frame`, () => assert.equal(readFrame(response).series.size, 0))
}

test('readFrame uses the lists of a response as columns, and replaces values that are not lists', () => {
  const average = [1, null, 3]
  const response = {
    bucketMs: 1,
    times: [1, 2, 3],
    series: [
      { key: 'a', average },
      { key: 'b', average: ['1', 2] },
      { key: 'c', average: [null] },
    ],
  }
  const { series } = readFrame(response)
  assert.equal(series.get('a'), average)
  assert.deepEqual(series.get('b'), [null, 2, null])
  assert.equal(series.has('c'), false)
})
