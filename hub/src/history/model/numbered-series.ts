import type { SeriesKey } from '@vedette/protocol/metrics/series'

/** Series with the number that stands for it in stored bytes. `field` is the last part of its key; `step` is the result of `finestStep`. */
export type NumberedSeries = {
  readonly number: number
  readonly key: SeriesKey
  readonly field: string
  readonly step: 0 | 1
  /** Time when this hub last confirmed that the database has the number, in epoch ms; 0 for never. See `used-series.ts`. */
  confirmedMs: number
}

/** Lookup of series by key and by their numbers in stored bytes. */
export type SeriesNumbers = {
  /** Returns the series of a thing and field, as samples name them. `undefined` when it has no number. */
  readonly find: (thing: string, field: string) => NumberedSeries | undefined
  /** Returns the series with a key. Throws {@link RangeError} when it has no number. */
  readonly byKey: (key: SeriesKey) => NumberedSeries
  readonly byNumber: (number: number) => NumberedSeries | undefined
}
