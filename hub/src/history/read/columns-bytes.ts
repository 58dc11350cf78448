import { unitOf } from '@vedette/protocol/metrics/series'
import { ByteWriter } from '../../platform/byte-codec.ts'
import { headOf, seriesOfKind, type ColumnKind } from './columns.ts'
import type { SystemHistory } from '../model/history.ts'
import { writeColumn } from '../codec/number-column.ts'
import { finestStep } from '../model/precision.ts'
import type { Tier, Window } from '../model/tier.ts'
import { writeTimes } from '../codec/time-column.ts'

/** Media type of the compact binary response of `/api/history/{system}`. */
export const COLUMNS_TYPE = 'application/vnd.vedette.columns'

const VERSION = 1

/**
 * Encodes columns: the version byte; the length and text of a JSON object with everything but the numbers; the times; then for each series
 * its averages and, for buckets, its minima and maxima. Numbers are encoded as in blocks: see docs/history.md.
 */
export function columnsBytes(found: SystemHistory | undefined, kind: ColumnKind, tier: Tier, window: Window): Uint8Array {
  const writer = new ByteWriter()
  const { times, ...head } = headOf(found, tier, window)
  const series = seriesOfKind(found, kind)
  const described = series.map(({ key, extremes }) => ({ key, unit: unitOf(key), kind, extremes: extremes !== undefined }))
  const text = new TextEncoder().encode(JSON.stringify({ ...head, warnings: found?.warnings ?? [], series: described }))
  writer.byte(VERSION)
  writer.integer(text.length)
  writer.bytes(text)
  writeTimes(writer, times)
  for (const { key, average, extremes } of series) {
    const step = finestStep(key)
    writeColumn(writer, average, step)
    if (extremes === undefined) continue
    writeColumn(writer, extremes.minimum, step)
    writeColumn(writer, extremes.maximum, step)
  }
  return writer.take()
}
