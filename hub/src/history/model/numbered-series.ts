import type { SeriesKey } from '@vedette/protocol/metrics/series'

/** A series as stored bytes know it: by a number. `field`: the last part of its key. `step`: see `finestStep`. */
export type NumberedSeries = { readonly number: number; readonly key: SeriesKey; readonly field: string; readonly step: 0 | 1 }

/** What stands for the names of series in stored bytes. */
export type SeriesNumbers = {
  /** One field of a thing, as samples name them; `undefined` when it was never numbered. */
  readonly find: (thing: string, field: string) => NumberedSeries | undefined
  /** Throws {@link RangeError} for a series that was never numbered. */
  readonly byKey: (key: SeriesKey) => NumberedSeries
  readonly byNumber: (number: number) => NumberedSeries | undefined
}
