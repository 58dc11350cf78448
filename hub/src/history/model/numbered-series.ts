import type { SeriesKey } from '@vedette/protocol/metrics/series'

/**
 * Series with the short number that stands for it in stored bytes. `field` is the last part of its key; `step` is the result of
 * `finestStep`.
 */
export type NumberedSeries = {
  readonly number: number
  readonly key: SeriesKey
  readonly field: string
  readonly step: 0 | 1
  /** Time when this hub last confirmed that the database has the number, in epoch ms; 0 for never. See `used-series.ts`. */
  confirmedMs: number
}

/** Lookup of series by key, and by the short numbers that stand for them in stored bytes. */
export type SeriesNumbers = {
  /** Returns the series of a thing (such as `cpu` or a container) and a field. `undefined` when it has no number. */
  readonly find: (thing: string, field: string) => NumberedSeries | undefined
  /** Returns the series (with its short number) of a key. Throws {@link RangeError} when it has no number. */
  readonly byKey: (key: SeriesKey) => NumberedSeries
  readonly byNumber: (number: number) => NumberedSeries | undefined
}
