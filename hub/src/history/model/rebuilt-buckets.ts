import { rolledUp } from './roll-up.ts'
import { type SeriesTable, extremesOf, mergeTables } from './series-table.ts'

/**
 * Input for recomputing stored buckets (averages of 10 min or 2 h) after new samples: the old buckets, the finer data before (`finer`) and
 * after (`changed`), and the samples.
 */
type Change = { readonly before: SeriesTable; readonly finer: SeriesTable; readonly changed: SeriesTable; readonly samples: SeriesTable }

/**
 * Returns the recomputed buckets of `sizeMs` ms after a change of the finer data below them. If retention has already deleted part of the
 * finer data, the new samples are added to the existing buckets instead.
 */
export function rebuiltBuckets({ before, finer, changed, samples }: Change, sizeMs: number): SeriesTable {
  if (samplesIn(before) <= samplesIn(finer)) return rolledUp(changed, sizeMs)
  return rolledUp(mergeTables([before, rolledUp(samples, sizeMs)]), sizeMs)
}

/** Returns how many samples the points of a table were made from, summed over all its series. */
function samplesIn({ series }: SeriesTable): number {
  let sum = 0
  for (const column of series) for (const count of extremesOf(column).count) if (!Number.isNaN(count)) sum += count
  return sum
}
