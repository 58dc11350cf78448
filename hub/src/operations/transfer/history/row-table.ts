import { keyOf, type SeriesPoints } from '@vedette/protocol/metrics/series'
import { finestStep, roundToStep } from '../../../history/model/precision.ts'
import { emptyTable, unknownNumbers, type SeriesColumn, type SeriesTable } from '../../../history/model/series-table.ts'

/**
 * Imported history row: its time in epoch ms (of a sample, or the start of a bucket) and values `points`. A bucket (average) also has
 * maximums and a sample count.
 */
export type TableRow = {
  readonly atMs: number
  readonly points: SeriesPoints
  readonly peaks: SeriesPoints
  /** Number of samples behind an imported row of averages; `undefined` for a row that is a sample. */
  readonly count: number | undefined
}

type Column = { readonly average: Float64Array; readonly maximum: Float64Array; readonly count: Float64Array }
type Columns = Map<string, Map<string, Column>>

/**
 * Builds a history table from imported rows with different times, all samples or all buckets. The minimum of a bucket is unknown, so the
 * average is used; likewise for a missing or too low maximum.
 */
export function tableOf(rows: readonly TableRow[]): SeriesTable {
  const inTime = rows.toSorted((a, b) => a.atMs - b.atMs)
  const isOfBuckets = inTime[0]?.count !== undefined
  const columns: Columns = new Map()
  for (const [at, { points, peaks, count }] of inTime.entries()) {
    addPoints(columns, { points, length: inTime.length, isOfBuckets }, at, count)
    if (isOfBuckets) addPeaks(columns, peaks, at)
  }
  const series = [...columns].flatMap(([thing, fields]) =>
    [...fields].map(([field, column]) => seriesColumn(keyOf(thing, field), column, isOfBuckets)),
  )
  return { times: inTime.map(({ atMs }) => atMs), series: series.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }
}

type AddedPoints = { readonly points: SeriesPoints; readonly length: number; readonly isOfBuckets: boolean }

function addPoints(columns: Columns, { points, length, isOfBuckets }: AddedPoints, row: number, count: number | undefined): void {
  const { things, fields, values } = points
  for (let at = 0; at < values.length; at++) {
    const thing = things[at] ?? ''
    let ofThing = columns.get(thing)
    if (ofThing === undefined) columns.set(thing, (ofThing = new Map()))
    const field = fields[at] ?? ''
    let column = ofThing.get(field)
    if (column === undefined) ofThing.set(field, (column = newColumn(length, isOfBuckets)))
    column.average[row] = values[at] ?? Number.NaN
    if (count !== undefined) column.count[row] = count
  }
}

const NOTHING = new Float64Array()

function newColumn(length: number, isOfBuckets: boolean): Column {
  const average = unknownNumbers(length)
  if (!isOfBuckets) return { average, maximum: NOTHING, count: NOTHING }
  return { average, maximum: unknownNumbers(length), count: unknownNumbers(length) }
}

function addPeaks(columns: Columns, { things, fields, values }: SeriesPoints, row: number): void {
  for (let at = 0; at < values.length; at++) {
    const column = columns.get(things[at] ?? '')?.get(fields[at] ?? '')
    if (column !== undefined) column.maximum[row] = values[at] ?? Number.NaN
  }
}

function seriesColumn(key: string, { average, maximum, count }: Column, isOfBuckets: boolean): SeriesColumn {
  const step = finestStep(key)
  for (let at = 0; at < average.length; at++) average[at] = roundToStep(step, average[at] ?? Number.NaN)
  if (!isOfBuckets) return { key, average }
  for (let at = 0; at < average.length; at++) {
    const mean = average[at] ?? Number.NaN
    const peak = maximum[at] ?? Number.NaN
    maximum[at] = peak > mean ? roundToStep(step, peak) : mean
  }
  return { key, average, extremes: { minimum: average, maximum, count } }
}

/**
 * Returns a history table with those rows of a table for whose time (epoch ms) `isWanted` returns true. Series without a value in these
 * rows are dropped. If all rows are wanted, the table is returned unchanged.
 */
export function rowsWhere(table: SeriesTable, isWanted: (atMs: number) => boolean): SeriesTable {
  const { times, series } = table
  const places = times.flatMap((time, at) => (isWanted(time) ? [at] : []))
  if (places.length === 0) return emptyTable
  if (places.length === times.length) return table
  const picked = (values: Float64Array): Float64Array => Float64Array.from(places, (at) => values[at] ?? Number.NaN)
  return {
    times: places.map((at) => times[at] ?? 0),
    series: series
      .filter(({ average }) => places.some((at) => !Number.isNaN(average[at])))
      .map(({ key, average, extremes }) => ({
        key,
        average: picked(average),
        ...(extremes && {
          extremes: { minimum: picked(extremes.minimum), maximum: picked(extremes.maximum), count: picked(extremes.count) },
        }),
      })),
  }
}
