import type { SeriesKey } from '@vedette/protocol/metrics/series'

/**
 * One series of a table: its key, and an array with a value for each time of the table; NaN means unknown. For buckets (10 min or 2 h) the
 * values are averages.
 */
export type SeriesColumn = {
  readonly key: SeriesKey
  readonly average: Float64Array
  /**
   * Minimum, maximum and sample count of each bucket (10 min or 2 h) of a series, as parallel arrays. Absent when the values of the series
   * are single samples.
   */
  readonly extremes?: Extremes
}

export type Extremes = {
  readonly minimum: Float64Array
  readonly maximum: Float64Array
  /**
   * Array with the number of samples behind each bucket's average of a series. A series that was measured only in part of a bucket has a
   * lower number there than other series.
   */
  readonly count: Float64Array
}

/**
 * Series of one system and kind (system or containers) as a table: a row for each time, a column for each series. Times are sample times or
 * bucket starts in epoch ms, ascending.
 */
export type SeriesTable = { readonly times: readonly number[]; readonly series: readonly SeriesColumn[] }

/**
 * Returns minimums, maximums and sample counts of a series, as arrays with an entry for each time. For single samples the first two equal
 * the values, and the count is 1.
 */
export function extremesOf({ average, extremes }: SeriesColumn): Extremes {
  return extremes ?? { minimum: average, maximum: average, count: onceWhereKnown(average) }
}

function onceWhereKnown(values: Float64Array): Float64Array {
  const count = zeroNumbers(values.length)
  for (let at = 0; at < values.length; at++) count[at] = Number.isNaN(values[at]) ? Number.NaN : 1
  return count
}

export const emptyTable: SeriesTable = { times: [], series: [] }

/**
 * Returns a table with those rows of a history table whose times lie in `[fromMs, toMs)` (epoch ms). Series without a value in that range
 * are dropped. If the range has all rows, the table is returned unchanged.
 */
export function rowsWithin(table: SeriesTable, fromMs: number, toMs: number): SeriesTable {
  const { times, series } = table
  const first = lowerBound(times, fromMs)
  const last = lowerBound(times, toMs)
  if (first === 0 && last === times.length) return table
  if (first >= last) return emptyTable
  const cut = (values: Float64Array): Float64Array => values.subarray(first, last)
  return {
    times: times.slice(first, last),
    series: series
      .map(({ key, average, extremes }) => ({ key, average: cut(average), ...(extremes && { extremes: eachOf(extremes, cut) }) }))
      .filter(({ average }) => average.some((value) => !Number.isNaN(value))),
  }
}

/**
 * Joins history tables to one, in time order. If several tables have a row with the same time, the last table's row replaces the others.
 * Series that a table lacks are NaN (unknown) in its rows.
 */
export function joinTables(tables: readonly SeriesTable[]): SeriesTable {
  const filled = tables.filter(({ times }) => times.length > 0)
  const [only, another] = filled
  if (only === undefined) return emptyTable
  if (another === undefined) return only
  // Tables that do not overlap share no times, so their order does not decide.
  const inTime = filled.toSorted((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0))
  const follow = inTime.every(({ times: [first = 0] }, at) => at === 0 || first > (inTime[at - 1]?.times.at(-1) ?? first))
  return follow ? concatenated(inTime) : arranged(filled, uniqueTimes(filled))
}

/**
 * Merges the rows of history tables to one table in ascending time order. Rows with the same time are all kept, those of earlier tables in
 * the list first.
 */
export function mergeTables(tables: readonly SeriesTable[]): SeriesTable {
  const places = tables.flatMap(({ times }, table) => times.map((time, at) => ({ time, table, at })))
  return arranged(tables, inOrder(places))
}

/**
 * Returns one history table with the rows of all tables in their order. The tables' time ranges must follow one another without overlap.
 */
function concatenated(tables: readonly SeriesTable[]): SeriesTable {
  const times = tables.flatMap((table) => table.times)
  const offsets: number[] = []
  for (const [at, table] of tables.entries()) offsets[at + 1] = (offsets[at] ?? 0) + table.times.length
  const columns = new Map<SeriesKey, { readonly column: SeriesColumn; readonly offset: number }[]>()
  for (const [at, { series }] of tables.entries())
    for (const column of series) {
      const placed = { column, offset: offsets[at] ?? 0 }
      const known = columns.get(column.key)
      if (known === undefined) columns.set(column.key, [placed])
      else known.push(placed)
    }
  const series = [...columns].map(([key, parts]): SeriesColumn => {
    const filled = (of: (column: SeriesColumn) => Float64Array): Float64Array => {
      const values = parts.length === tables.length ? zeroNumbers(times.length) : unknownNumbers(times.length)
      for (const { column, offset } of parts) values.set(of(column), offset)
      return values
    }
    const average = filled((column) => column.average)
    if (parts.every(({ column }) => column.extremes === undefined)) return { key, average }
    const extremes = {
      minimum: filled((column) => extremesOf(column).minimum),
      maximum: filled((column) => extremesOf(column).maximum),
      count: filled((column) => extremesOf(column).count),
    }
    return { key, average, extremes }
  })
  return { times, series: series.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }
}

type TimePosition = { readonly time: number; readonly table: number; readonly at: number }

function uniqueTimes(tables: readonly SeriesTable[]): readonly TimePosition[] {
  const last = new Map<number, TimePosition>()
  for (const [table, { times }] of tables.entries()) for (const [at, time] of times.entries()) last.set(time, { time, table, at })
  return inOrder([...last.values()])
}

const inOrder = (places: readonly TimePosition[]): readonly TimePosition[] =>
  places.every(({ time }, at) => at === 0 || time >= (places[at - 1]?.time ?? time)) ? places : places.toSorted((a, b) => a.time - b.time)

function arranged(tables: readonly SeriesTable[], places: readonly TimePosition[]): SeriesTable {
  const byKey = tables.map(({ series }) => new Map(series.map((column) => [column.key, column])))
  const keys = [...new Set(tables.flatMap(({ series }) => series.map(({ key }) => key)))].toSorted()
  const series = keys.map((key): SeriesColumn => {
    const columns = byKey.map((columnOf) => columnOf.get(key))
    const pick = (of: (column: SeriesColumn) => Float64Array | undefined): Float64Array => {
      const parts = columns.map((column) => column && of(column))
      const values = unknownNumbers(places.length)
      for (let to = 0; to < places.length; to++) {
        const place = places[to]
        if (place !== undefined) values[to] = parts[place.table]?.[place.at] ?? Number.NaN
      }
      return values
    }
    const average = pick((column) => column.average)
    if (columns.every((column) => column?.extremes === undefined)) return { key, average }
    const extremes = {
      minimum: pick((column) => extremesOf(column).minimum),
      maximum: pick((column) => extremesOf(column).maximum),
      count: pick((column) => extremesOf(column).count),
    }
    return { key, average, extremes }
  })
  return { times: places.map(({ time }) => time), series }
}

const eachOf = ({ minimum, maximum, count }: Extremes, change: (values: Float64Array) => Float64Array): Extremes => ({
  minimum: change(minimum),
  maximum: change(maximum),
  count: change(count),
})

/** Returns the index of the first time at or after `atMs` in a list of ascending times; the list's length if there is none. */
function lowerBound(times: readonly number[], atMs: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < atMs) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Number of values (8 bytes each) in one shared buffer, from which many short arrays of history values get their memory: 16,384. When it is
 * used up, a new buffer is allocated.
 */
const SHARED_LENGTH = 16_384

/**
 * Maximum length of an array of history values that gets its own memory, instead of a part of a shared buffer: 8. V8 stores such small
 * arrays on its own heap.
 */
const SMALL_LENGTH = 8

let sharedNumbers = new Float64Array(0)
let used = 0

/**
 * Returns a Float64Array of `length` zeros that no other call returns. Arrays of 9 to 4096 numbers are parts of a larger buffer, to save
 * allocations.
 */
export function zeroNumbers(length: number): Float64Array {
  if (length <= SMALL_LENGTH || length > SHARED_LENGTH / 4) return new Float64Array(length)
  if (used + length > sharedNumbers.length) {
    sharedNumbers = new Float64Array(SHARED_LENGTH)
    used = 0
  }
  const from = used
  used += length
  return new Float64Array(sharedNumbers.buffer, from * Float64Array.BYTES_PER_ELEMENT, length)
}

/** Returns a Float64Array with `length` entries, all NaN (unknown). */
export const unknownNumbers = (length: number): Float64Array => zeroNumbers(length).fill(Number.NaN)
