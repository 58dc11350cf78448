import type { SeriesKey } from '@vedette/protocol/metrics/series'

/** A series as stored bytes know it: by a number. `step`: see `finestStep`. */
export type NumberedSeries = { readonly number: number; readonly key: SeriesKey; readonly step: 0 | 1 }

/** What stands for the names of series in stored bytes. */
export type SeriesNumbers = {
  /** Throws {@link RangeError} for a series that was never numbered. */
  readonly byKey: (key: SeriesKey) => NumberedSeries
  readonly byNumber: (number: number) => NumberedSeries | undefined
}
