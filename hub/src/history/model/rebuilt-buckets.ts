import { rolledUp } from './roll-up.ts'
import { type SeriesTable, extremesOf, gathered } from './series-table.ts'

/** Buckets before a change; the finer data they were made from, before and after it; and the samples that are new. */
type Change = { readonly before: SeriesTable; readonly finer: SeriesTable; readonly changed: SeriesTable; readonly samples: SeriesTable }

/**
 * Buckets of `sizeMs` after a change. Retention deletes finer data before the buckets made from it. Buckets that count more samples than their
 * finer data keep what they hold, and the new samples are added to them.
 */
export function rebuiltBuckets({ before, finer, changed, samples }: Change, sizeMs: number): SeriesTable {
  if (samplesIn(before) <= samplesIn(finer)) return rolledUp(changed, sizeMs)
  return rolledUp(gathered([before, rolledUp(samples, sizeMs)]), sizeMs)
}

/** Number of samples behind a table, over all its series. */
function samplesIn({ series }: SeriesTable): number {
  let sum = 0
  for (const column of series) for (const count of extremesOf(column).count) if (!Number.isNaN(count)) sum += count
  return sum
}
