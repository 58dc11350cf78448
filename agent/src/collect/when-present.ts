import type { Collector } from './collector.ts'

export type Presence<T> = {
  /**
   * Returns true when the machine has what this collector (reader of one kind of metric) reads, such as a GPU. It is called at intervals
   * until it has returned true once.
   */
  readonly isPresent: () => boolean
  /**
   * Minimum interval in ms between two calls of `isPresent`. A device or service that appears later is found by the first sample after this
   * time.
   */
  readonly lookEveryMs: number
  /** Text in the agent's diagnostics until the collector is loaded, such as `there is no GPU`. */
  readonly absence: string
  readonly load: () => Promise<Collector<T>>
}

/**
 * Creates a collector (reader of one kind of metric) whose code is loaded when `isPresent` first returns true. Until then its `collect`
 * returns `undefined`. `name` identifies the collector in messages.
 */
export function whenPresent<T>(name: string, { isPresent, lookEveryMs, absence, load }: Presence<T>): Collector<T> {
  let loading: Promise<Collector<T>> | undefined
  let loaded: Collector<T> | undefined
  let lookedAtMs: number | undefined

  const isThere = (atMs: number): boolean => {
    if (lookedAtMs !== undefined && atMs - lookedAtMs < lookEveryMs) return false
    lookedAtMs = atMs
    return isPresent()
  }

  return {
    name,
    collect: (tick) => {
      if (loaded !== undefined) return loaded.collect(tick)
      if (loading === undefined && !isThere(tick.atMs)) return undefined
      loading ??= load().catch((error: unknown) => {
        loading = undefined
        throw error
      })
      return loading.then((collector) => {
        loaded = collector
        return collector.collect(tick)
      })
    },
    report: () => (loaded === undefined ? { skipped: [{ what: name, why: absence }] } : (loaded.report?.() ?? {})),
  }
}
