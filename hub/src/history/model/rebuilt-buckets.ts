import { rolledUp } from './roll-up.ts'
import { type SeriesTable, extremesOf, mergeTables } from './series-table.ts'

/**
 * Tables for recomputing buckets (averages of 10 min or 2 h) after new samples. `before`: stored buckets; `samples`: new samples. `finer`
 * and `changed`: the finer data (samples or 10 min buckets) without and with the new samples.
 */
type Change = { readonly before: SeriesTable; readonly finer: SeriesTable; readonly changed: SeriesTable; readonly samples: SeriesTable }

/**
 * Returns the recomputed buckets of `sizeMs` ms (10 min or 2 h) after a change of the finer data from which they are made. If retention has
 * deleted part of the finer data, the new samples are added to the stored buckets instead.
 */
export function rebuiltBuckets({ before, finer, changed, samples }: Change, sizeMs: number): SeriesTable {
  if (samplesIn(before) <= samplesIn(finer)) return rolledUp(changed, sizeMs)
  return rolledUp(mergeTables([before, rolledUp(samples, sizeMs)]), sizeMs)
}

/**
 * Returns the number of samples behind the values of a history table, summed over all series and times. A bucket counts with its sample
 * count, a single sample as 1.
 */
function samplesIn({ series }: SeriesTable): number {
  let sum = 0
  for (const column of series) for (const count of extremesOf(column).count) if (!Number.isNaN(count)) sum += count
  return sum
}
