import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteReader } from '../../platform/byte-codec.ts'
import { columnsBytes, toColumns } from './columns.ts'
import { readColumn } from '../codec/number-column.ts'
import { rolledUp } from '../model/roll-up.ts'
import type { SeriesTable } from '../model/series-table.ts'
import { readTimes } from '../codec/time-column.ts'

const table: SeriesTable = {
  times: [0, 60_000, 121_000],
  series: [
    { key: 'cpu.busyPercent', average: Float64Array.of(10, Number.NaN, 30.25) },
    { key: 'memory.usedBytes', average: Float64Array.of(5, 6, 2 ** 40) },
  ],
}

/** Decodes the bytes like a client. */
function read(bytes: Uint8Array) {
  const reader = new ByteReader(bytes)
  assert.equal(reader.byte(), 1)
  const head = JSON.parse(new TextDecoder().decode(reader.bytes(reader.integer()))) as {
    readonly series: readonly { readonly key: string; readonly extremes: boolean }[]
  } // written above
  const times = readTimes(reader)
  const nullable = () => Array.from(readColumn(reader, times.length), (value) => (Number.isNaN(value) ? null : value))
  const series = head.series.map(({ extremes, ...one }) =>
    extremes ? { ...one, average: nullable(), minimum: nullable(), maximum: nullable() } : { ...one, average: nullable() },
  )
  assert.equal(reader.left, 0)
  return { ...head, times, series }
}

for (const [name, points] of [
  ['samples', table],
  ['buckets', rolledUp(table, 600_000)],
  ['nothing', { times: [], series: [] }],
] as const) {
  test(`columnsBytes of ${name} decode to the JSON form`, () => {
    const found = { system: 'a', table: points, warnings: ['one block is damaged'] }
    const window = { fromMs: 0, toMs: 200_000 }
    const columns = toColumns(found, 'system', '10m', window)
    assert.deepEqual(read(columnsBytes(found, 'system', '10m', window)), JSON.parse(JSON.stringify(columns)))
  })
}
