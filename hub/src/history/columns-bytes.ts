import { ByteWriter } from './byte-writer.ts'
import type { HistoryColumns } from './columns.ts'
import { writeColumn } from './number-column.ts'
import { finestStep } from './precision.ts'
import { writeTimes } from './time-column.ts'

/** The compact form of the columns that `/api/history/{system}` answers. */
export const COLUMNS_TYPE = 'application/vnd.vedette.columns'

const VERSION = 1

/**
 * The version; the length and text of a JSON object that has everything but the numbers; the times; then of each series its
 * averages and, of buckets, its minima and maxima. Numbers are as in blocks: see docs/history.md.
 */
export function columnsBytes({ times, series, ...rest }: HistoryColumns): Uint8Array {
  const writer = new ByteWriter()
  const said = series.map(({ key, unit, kind, minimum }) => ({ key, unit, kind, extremes: minimum !== undefined }))
  const text = new TextEncoder().encode(JSON.stringify({ ...rest, series: said }))
  writer.byte(VERSION)
  writer.integer(text.length)
  writer.bytes(text)
  writeTimes(writer, times)
  for (const { key, average, minimum, maximum } of series)
    for (const values of [average, minimum, maximum])
      if (values !== undefined)
        writeColumn(
          writer,
          Float64Array.from(values, (value) => value ?? Number.NaN),
          finestStep(key),
        )
  return writer.take()
}
