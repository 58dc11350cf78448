import type { SeriesKey } from '@vedette/protocol/metrics/series'

/** A series and the number that stands for it in stored bytes. `field` is the last part of its key; for `step` see `finestStep`. */
export type NumberedSeries = {
  readonly number: number
  readonly key: SeriesKey
  readonly field: string
  readonly step: 0 | 1
  /** When this hub last saw that the database keeps the number, epoch milliseconds; 0 for never. See `used-series.ts`. */
  confirmedMs: number
}

/** Maps series keys to the numbers in stored bytes, and back. */
export type SeriesNumbers = {
  /** Finds a series by the thing and field that samples name. `undefined` when it has no number. */
  readonly find: (thing: string, field: string) => NumberedSeries | undefined
  /** Throws {@link RangeError} for a series without a number. */
  readonly byKey: (key: SeriesKey) => NumberedSeries
  readonly byNumber: (number: number) => NumberedSeries | undefined
}
