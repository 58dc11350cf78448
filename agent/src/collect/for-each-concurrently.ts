import { DeadlineExceeded, type Loop } from '../runtime/deadline.ts'

export type ConcurrencyLimits = { readonly loop: Loop; readonly withinMs: number; readonly atOnce: number }

/**
 * Calls `work` for each item, with at most `atOnce` calls at a time. Resolves after the last one, at the latest after `withinMs` in ms;
 * items that are not done by then are skipped.
 */
export async function forEachConcurrently<T>(
  { loop, withinMs, atOnce }: ConcurrencyLimits,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  let isLate = false
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (isLate) return
      await work(item)
    }
  }
  const workers = Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  try {
    await loop.within(withinMs, 'Asking in turns', workers)
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error
    isLate = true
  }
}
