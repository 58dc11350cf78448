/** One moment of measuring. */
export type Tick = {
  /** Monotonic. */
  readonly atMs: number
  /** Who asks, as the cache time of its requests; every consumer has baselines of its own. */
  readonly consumer: number
}

/**
 * Reads one family of values. The answer is `undefined` when this machine has no such thing or it is not known yet;
 * it throws when the machine should have one and the reading failed.
 */
export type Collector<T> = {
  readonly name: string
  readonly collect: (tick: Tick) => T | undefined | Promise<T | undefined>
}
