import { MIN_ELAPSED_MS } from './sampling/counter.ts'

/**
 * Maximum number of consumers of samples; beyond it, the least recently used one is dropped. Hubs use two: the poll every 60 s and the live
 * view every 1 s.
 */
const MAX_CONSUMERS = 8

/** Previous readings by consumer, so that the rates of each consumer cover its own interval. */
export type Baselines<T> = {
  /**
   * Returns the last reading of a consumer, to compute rates from. A new consumer gets the newest reading of any consumer, so that its
   * first sample has rates. `undefined` before the first reading.
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
 * Returns the consumer's earlier reading, to compare `current` with; `undefined` when the consumer has none. `current` becomes the new
 * baseline if there was none, or if at least `MIN_ELAPSED_MS` have passed.
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
