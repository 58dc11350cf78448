import type { SeriesKey } from '@vedette/protocol/metrics/series'
import { clockNow } from '../format/clock.ts'
import type { Column } from '../format/column.ts'
import { getJson } from './client.ts'
import { listOf, numberOf, recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { GAP_INTERVALS } from '../chart/gap-rule.ts'
import type { SeriesFrame } from '../chart/series-frame.ts'
import { serverQuery } from './server-query.ts'
import { spanKey, type ChartSpan } from './stats.ts'
import type { TimeWindow } from './stats.ts'

/** Maximum number, 1440, of points that a drive chart requests for its time range, about one for each pixel of a wide chart. */
const MOST_POINTS = 1_440

/**
 * Time in ms, 2 h, for which a drive chart draws a line's newest value as current; then the line ends. An earlier value is drawn up to the
 * next one, unless the system was down between. Agents read drives once an hour by default.
 */
const READING_HOLDS_MS = 2 * 3_600_000

/**
 * TanStack Query options for the history of a system's drives in a time range. The data are series with the keys `drive.ID.celsius`
 * (temperature) and `drive.ID.wearPercent`.
 */
export const driveHistoryQuery = (systemId: string, span: ChartSpan) =>
  serverQuery(
    keys.driveHistory(systemId, spanKey(span)),
    async (signal) => {
      const toMs = clockNow()
      const window = span.kind === 'range' ? { fromMs: toMs - span.range.spanMs, toMs } : span.window
      const query = new URLSearchParams({
        kind: 'drives',
        from: `${window.fromMs - READING_HOLDS_MS}`,
        to: `${window.toMs}`,
        points: `${MOST_POINTS}`,
      })
      return readDriveHistory(await getJson(`/api/history/${encodeURIComponent(systemId)}?${query.toString()}`, signal), window)
    },
    { gcTime: 0, staleTime: Number.POSITIVE_INFINITY },
  )

/**
 * Parses the hub's JSON response about the history of a system's drives into series for a time range. Drives are read rarely, so points
 * between two readings repeat the earlier value, but never across downtime of the system.
 */
export function readDriveHistory(response: unknown, { fromMs, toMs }: TimeWindow): SeriesFrame {
  const { times, bucketMs, series } = recordOf(response)
  const rows = rowsOf(
    listOf(times).flatMap((time) => numberOf(time) ?? []),
    numberOf(bucketMs) ?? Number.POSITIVE_INFINITY,
  )
  const first = rows.findIndex(({ at }) => at >= fromMs)
  const shown = first < 0 ? [] : rows.slice(first)
  const columns = listOf(series).flatMap((one): readonly (readonly [SeriesKey, Column])[] => {
    const { key, average } = recordOf(one)
    const name = textOf(key)
    const column = heldColumn(rows, listOf(average)).slice(rows.length - shown.length)
    return name === undefined || column.every((value) => value === null) ? [] : [[name, column]]
  })
  return { fromMs, toMs, times: shown.map(({ at }) => at), series: new Map(columns) }
}

/**
 * Point of a drive chart's time axis, with its time `at` in epoch ms. `index` is the position of its values in the hub's response,
 * `undefined` for a point that starts a gap.
 */
type Row = { readonly at: number; readonly index: number | undefined }

function rowsOf(times: readonly number[], bucketMs: number): readonly Row[] {
  return times.flatMap((at, index): readonly Row[] => {
    const previous = times[index - 1]
    const isOutage = previous !== undefined && at - previous > GAP_INTERVALS * bucketMs
    return isOutage
      ? [
          { at: previous + bucketMs, index: undefined },
          { at, index },
        ]
      : [{ at, index }]
  })
}

function heldColumn(rows: readonly Row[], values: readonly unknown[]): readonly (number | null)[] {
  const column: (number | null)[] = rows.map(() => null)
  let reading: { readonly row: number; readonly value: number } | undefined
  for (const [row, { at, index }] of rows.entries()) {
    const value = index === undefined ? undefined : numberOf(values[index])
    if (index === undefined) reading = undefined
    if (value !== undefined) {
      if (reading !== undefined) column.fill(reading.value, reading.row, row)
      reading = { row, value }
    }
    if (reading !== undefined && at - (rows[reading.row]?.at ?? at) <= READING_HOLDS_MS) column[row] = reading.value
  }
  return column
}
