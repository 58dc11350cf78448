import fc from 'fast-check'
import type { SeriesColumn, SeriesTable } from '../src/history/model/series-table.ts'

/** One number of a series: its average, and of a bucket its least, its most and how many samples are behind it. */
export type PlainNumber = readonly [average: number, minimum: number, maximum: number, count: number]

/** A moment of a table: its time, and by series what is known. */
export type PlainPoint = readonly [time: number, numbers: Readonly<Record<string, PlainNumber>>]

/** A table as plain points, in its order; a single sample is its own least and most, and counts once. */
export function pointsOf({ times, series }: SeriesTable): readonly PlainPoint[] {
  return times.map((time, at) => [
    time,
    Object.fromEntries(
      series.flatMap(({ key, average, extremes }) => {
        const value = average[at] ?? Number.NaN
        if (Number.isNaN(value)) return []
        const { minimum, maximum, count } = extremes ?? {}
        return [[key, [value, minimum?.[at] ?? value, maximum?.[at] ?? value, count?.[at] ?? 1] as const]]
      }),
    ),
  ])
}

type Known = readonly (number | undefined)[]

const columnOf = (values: Known): Float64Array => Float64Array.from(values, (value) => value ?? Number.NaN)

/** A table of single samples; a value that is undefined is unknown. */
export function samplesOf(times: readonly number[], values: Readonly<Record<string, Known>>): SeriesTable {
  return { times, series: Object.entries(values).map(([key, known]) => ({ key, average: columnOf(known) })) }
}

/** The same as buckets of `count` samples each, from one less than the average to one more. */
export function asBuckets({ times, series }: SeriesTable, count: number): SeriesTable {
  const column = ({ key, average }: SeriesColumn): SeriesColumn => ({
    key,
    average,
    extremes: {
      minimum: average.map((value) => value - 1),
      maximum: average.map((value) => value + 1),
      count: average.map((value) => (Number.isNaN(value) ? value : count)),
    },
  })
  return { times, series: series.map(column) }
}

/** Samples at some of the minutes in random order of series, with values that are sometimes not known. */
export function someSamples(keys: readonly string[], value: fc.Arbitrary<number>, minutes: number): fc.Arbitrary<SeriesTable> {
  const known = fc.option(value, { nil: undefined, freq: 4 })
  return fc
    .uniqueArray(fc.integer({ min: 0, max: minutes * 60_000 }), { maxLength: 40 })
    .map((times) => times.toSorted((a, b) => a - b))
    .chain((times) =>
      fc
        .tuple(
          ...keys.map((key) => fc.array(known, { minLength: times.length, maxLength: times.length }).map((all) => [key, all] as const)),
        )
        .map((columns) => samplesOf(times, Object.fromEntries(columns))),
    )
}
