import type { SeriesKey } from '@vedette/protocol/metrics/series'

/**
 * Series (one measured value over time) with the short number that stands for its key in stored bytes. `field` is the last part of its key,
 * such as `busyPercent`. `step` is the rounding of its values: 0 whole numbers, 1 hundredths.
 */
export type NumberedSeries = {
  readonly number: number
  readonly key: SeriesKey
  readonly field: string
  readonly step: 0 | 1
  /** Time when this hub last confirmed that the database still has the short number of this series, in epoch ms; 0 for never. */
  confirmedMs: number
}

/** Lookup of series in memory, by key or by the short number that stands for the series in stored bytes. */
export type SeriesNumbers = {
  /**
   * Returns the series with its short number. Its two parts are the measured thing (such as `cpu` or a container) and the field (such as
   * `busyPercent`). `undefined` when the series has no short number.
   */
  readonly find: (thing: string, field: string) => NumberedSeries | undefined
  /**
   * Returns the series with this key and its short number, as a {@link NumberedSeries}. Throws {@link RangeError} for a series that has no
   * number.
   */
  readonly byKey: (key: SeriesKey) => NumberedSeries
  readonly byNumber: (number: number) => NumberedSeries | undefined
}
