import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toColumns } from './columns.ts'
import { bucketOfSample, mergeBuckets } from './rollup.ts'

const window = { fromMs: 0, toMs: 200_000 }
const samples = [
  { 'cpu.busyPercent': 10, 'network.sentBytesPerSecond': 5, 'network.eth0.sentBytesPerSecond': 5 },
  { 'cpu.busyPercent': 30, 'temperature.cpu.celsius': 50, 'filesystem.data.usedBytes': 7 },
].map((values, index) => ({ system: 'a', atMs: index * 60_000, bucket: bucketOfSample(values) }))

test('toColumns lines series up over the times, with null where one is not known', () => {
  const columns = toColumns(samples, 'system', '1m', window)
  assert.deepEqual(columns, {
    tier: '1m',
    bucketMs: 60_000,
    from: 0,
    to: 200_000,
    times: [0, 60_000],
    series: [
      { key: 'cpu.busyPercent', unit: 'percent', kind: 'system', average: [10, 30] },
      { key: 'network.sentBytesPerSecond', unit: 'bytesPerSecond', kind: 'system', average: [5, null] },
    ],
    warnings: [],
  })
})

for (const [kind, key] of [
  ['interfaces', 'network.eth0.sentBytesPerSecond'],
  ['sensors', 'temperature.cpu.celsius'],
  ['disks', 'filesystem.data.usedBytes'],
] as const) {
  test(`toColumns of kind ${kind} has the series of those things alone`, () => {
    assert.deepEqual(
      toColumns(samples, kind, '1m', window).series.map((column) => column.key),
      [key],
    )
  })
}

test('toColumns of a merged tier has the extremes too', () => {
  const bucket = mergeBuckets(samples.map((sample) => sample.bucket))
  const [cpu] = toColumns([{ system: 'a', atMs: 0, bucket }], 'system', '10m', window).series
  assert.deepEqual([cpu?.average, cpu?.minimum, cpu?.maximum], [[20], [10], [30]])
})
