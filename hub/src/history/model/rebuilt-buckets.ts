import { rolledUp } from './roll-up.ts'
import { type Stretch, extremesOf, gathered } from './stretch.ts'

/** Buckets before a change; the finer data they were made from, before and after it; and the samples that are new. */
type Change = { readonly before: Stretch; readonly finer: Stretch; readonly changed: Stretch; readonly samples: Stretch }

/**
 * Buckets of `sizeMs` after a change. Retention deletes finer data before the buckets made from it. Buckets that count more samples than their
 * finer data keep what they hold, and the new samples are added to them.
 */
export function rebuiltBuckets({ before, finer, changed, samples }: Change, sizeMs: number): Stretch {
  if (samplesIn(before) <= samplesIn(finer)) return rolledUp(changed, sizeMs)
  return rolledUp(gathered([before, rolledUp(samples, sizeMs)]), sizeMs)
}

/** Number of samples behind a stretch, over all its series. */
function samplesIn({ series }: Stretch): number {
  let sum = 0
  for (const column of series) for (const count of extremesOf(column).count) if (!Number.isNaN(count)) sum += count
  return sum
}
