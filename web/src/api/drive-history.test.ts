import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDriveHistory } from './drive-history.ts'

const MINUTE_MS = 60_000
const KEY = 'drive.S-1.celsius'

/** The values of a drive in the frame, for values at these minutes of the response. */
function shown(
  samples: ReadonlyMap<number, number | null>,
  fromMinute: number,
  toMinute: number,
): readonly (readonly [number, number | null])[] {
  const response = {
    bucketMs: MINUTE_MS,
    times: [...samples.keys()].map((minute) => minute * MINUTE_MS),
    series: [{ key: KEY, average: [...samples.values()] }],
  }
  const { times, series } = readDriveHistory(response, { fromMs: fromMinute * MINUTE_MS, toMs: toMinute * MINUTE_MS })
  return times.map((at, index) => [at / MINUTE_MS, series.get(KEY)?.[index] ?? null])
}

/** A sample every minute, with values only at the given minutes. */
const everyMinute = (from: number, to: number, readings: Readonly<Record<number, number>>): ReadonlyMap<number, number | null> =>
  new Map(Array.from({ length: to - from }, (_, index) => [from + index, readings[from + index] ?? null]))

test('readDriveHistory repeats a reading until the next one, regardless of the time between them', () => {
  const values = new Map(shown(everyMinute(0, 300, { 1: 30, 250: 31 }), 0, 300))
  assert.deepEqual([values.get(0), values.get(1), values.get(249), values.get(250), values.get(299)], [null, 30, 30, 31, 31])
})

test('readDriveHistory repeats the last reading for two hours', () => {
  const values = new Map(shown(everyMinute(0, 300, { 10: 30 }), 0, 300))
  assert.deepEqual([values.get(130), values.get(131)], [30, null])
})

test('readDriveHistory uses the last reading before the window', () => {
  assert.deepEqual(shown(everyMinute(-60, 3, { '-40': 30 }), 0, 3), [
    [0, 30],
    [1, 30],
    [2, 30],
  ])
})

test('readDriveHistory leaves a gap from an outage of the system until the next reading', () => {
  const samples = new Map([...everyMinute(0, 3, { 0: 30 }), ...everyMinute(10, 13, { 11: 31 })])
  assert.deepEqual(shown(samples, 0, 13), [
    [0, 30],
    [1, 30],
    [2, 30],
    [3, null],
    [10, null],
    [11, 31],
    [12, 31],
  ])
})

test('readDriveHistory omits a drive without a reading, and any value that is not a history', () => {
  assert.equal(
    readDriveHistory({ bucketMs: MINUTE_MS, times: [0], series: [{ key: KEY, average: [null] }] }, { fromMs: 0, toMs: 1 }).series.size,
    0,
  )
  assert.deepEqual(readDriveHistory('nothing', { fromMs: 0, toMs: 1 }), { fromMs: 0, toMs: 1, times: [], series: new Map() })
})
