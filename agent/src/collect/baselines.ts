import { MIN_ELAPSED_MS } from './sampling/counter.ts'

/**
 * Maximum number of requesters of samples, 8, whose previous counter readings the agent stores for rates. Beyond it, the one whose reading
 * was stored longest ago is dropped. A hub counts as two requesters: its poll every 60 s and its live view every 1 s.
 */
const MAX_CONSUMERS = 8

/**
 * Store with the previous counter reading of each requester of samples (minute poll, live view): `of` returns it, `keep` stores it. Each
 * requester's rates then cover its own interval.
 */
export type Baselines<T> = {
  /**
   * Returns the reading stored last for this requester (its id), from which rates are computed. For a requester without one, it is the
   * newest reading of any requester. `undefined` when no reading is stored.
   */
  readonly of: (consumer: number) => T | undefined
  readonly keep: (consumer: number, reading: T) => void
  readonly clear: () => void
}

export function createBaselines<T>(): Baselines<T> {
  const readings = new Map<number, T>()
  let newest: T | undefined
  return {
    of: (consumer) => readings.get(consumer) ?? newest,
    keep: (consumer, reading) => {
      readings.delete(consumer)
      readings.set(consumer, reading)
      newest = reading
      const [oldest] = readings.keys()
      if (readings.size > MAX_CONSUMERS && oldest !== undefined) readings.delete(oldest)
    },
    clear: () => {
      readings.clear()
      newest = undefined
    },
  }
}

/**
 * Returns the counter reading stored last for the requester of samples with the id `consumer`; for a requester without one, the newest of
 * any. `undefined` when none is stored. Then stores `current` for this requester, unless it is less than 40 ms newer, which is too short
 * for rates.
 */
export function replaceBaseline<T extends { readonly takenAtMs: number }>(
  baselines: Baselines<T>,
  consumer: number,
  current: T,
): T | undefined {
  const previous = baselines.of(consumer)
  if (previous === undefined || current.takenAtMs - previous.takenAtMs >= MIN_ELAPSED_MS) baselines.keep(consumer, current)
  return previous
}
