import { MIN_ELAPSED_MS } from '../counter.ts'

/** Hubs use two consumers: the poll of 60 s and the live view of 1 s. More is someone playing; the oldest gives way. */
const MAX_CONSUMERS = 8

/** Earlier readings by consumer, so that two of them never measure against each other's moment. */
export type Baselines<T> = {
  /** The consumer's own last reading; for one that never read, the newest of any, so that its first answer has rates. */
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

/** What the consumer's new reading is to be measured against. Taken too soon after it, it does not take its place. */
export function replaceBaseline<T extends { readonly takenAtMs: number }>(
  baselines: Baselines<T>,
  consumer: number,
  current: T,
): T | undefined {
  const previous = baselines.of(consumer)
  if (previous === undefined || current.takenAtMs - previous.takenAtMs >= MIN_ELAPSED_MS) baselines.keep(consumer, current)
  return previous
}
