import { DeadlineExceeded, type Loop } from '../runtime/deadline.ts'

export type ConcurrencyLimits = { readonly loop: Loop; readonly withinMs: number; readonly atOnce: number }

/**
 * Calls `work`, which returns a promise, for each item, at most `atOnce` at a time. Resolves when all are done, at the latest after
 * `withinMs` ms; the others are then not started or not awaited. Rejects when one `work` rejects.
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
