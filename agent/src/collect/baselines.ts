import { MIN_ELAPSED_MS } from './sampling/counter.ts'

/**
 * Maximum number of requesters of samples whose previous readings are stored; beyond it, the least recently used one is dropped. A hub is
 * two requesters: the poll every 60 s and the live view every 1 s.
 */
const MAX_CONSUMERS = 8

/**
 * Functions of a store with the previous reading of each requester (the minute poll, the live view): return, store and clear. The rates of
 * each requester then cover its own interval.
 */
export type Baselines<T> = {
  /**
   * Returns the last reading stored with `keep` for a requester of samples, to compute rates from. For a new requester, returns the newest
   * reading stored for any. `undefined` before the first reading.
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
 * Returns the last stored reading of the requester `consumer`, to compute rates up to `current`; `undefined` when there is none. `current`
 * replaces the stored reading unless that is less than 40 ms older, too short for rates.
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
