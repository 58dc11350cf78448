import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnKinds, columnsJson, toColumns } from './columns.ts'
import { rolledUp } from '../model/roll-up.ts'
import type { SeriesTable } from '../model/series-table.ts'

const window = { fromMs: 0, toMs: 200_000 }
const NONE = Number.NaN
const table: SeriesTable = {
  times: [0, 60_000],
  series: [
    { key: 'cpu.busyPercent', average: Float64Array.of(10, 30) },
    { key: 'filesystem.data.usedBytes', average: Float64Array.of(NONE, 7) },
    { key: 'network.eth0.sentBytesPerSecond', average: Float64Array.of(5, NONE) },
    { key: 'network.sentBytesPerSecond', average: Float64Array.of(5, NONE) },
    { key: 'temperature.cpu.celsius', average: Float64Array.of(NONE, 50) },
    { key: 'drive.S-1.celsius', average: Float64Array.of(NONE, 40) },
  ],
}
const samples = { system: 'a', table, warnings: ['one block is damaged'] }

test('toColumns aligns series with the times, with null for a missing value', () => {
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
    warnings: ['one block is damaged'],
  })
})

for (const [kind, key] of [
  ['interfaces', 'network.eth0.sentBytesPerSecond'],
  ['sensors', 'temperature.cpu.celsius'],
  ['drives', 'drive.S-1.celsius'],
  ['disks', 'filesystem.data.usedBytes'],
] as const) {
  test(`toColumns of kind ${kind} returns the series of this kind only`, () => {
    assert.deepEqual(
      toColumns(samples, kind, '1m', window).series.map((column) => column.key),
      [key],
    )
  })
}

test('columnsJson returns the JSON text of toColumns', () => {
  const buckets = { ...samples, table: rolledUp(table, 600_000) }
  for (const kind of columnKinds)
    for (const found of [samples, buckets, undefined])
      assert.equal(columnsJson(found, kind, '10m', window), JSON.stringify(toColumns(found, kind, '10m', window)))
})

test('toColumns of buckets includes minimum and maximum', () => {
  const buckets = rolledUp(table, 600_000)
  const [cpu] = toColumns({ ...samples, table: buckets }, 'system', '10m', window).series
  assert.deepEqual([cpu?.average, cpu?.minimum, cpu?.maximum], [[20], [10], [30]])
})

test('toColumns without a table returns no series and no times', () => {
  assert.deepEqual(toColumns(undefined, 'system', '1m', window), {
    tier: '1m',
    bucketMs: 60_000,
    from: 0,
    to: 200_000,
    times: [],
    series: [],
    warnings: [],
  })
})
