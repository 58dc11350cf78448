import type { Collector } from './collector.ts'

export type Presence<T> = {
  /** Asked until it is there. */
  readonly isPresent: () => boolean
  /** How long a "no" stands: what is plugged in or installed while the agent runs is seen that late. */
  readonly lookEveryMs: number
  /** Said by the doctor while it is not. */
  readonly absence: string
  readonly load: () => Promise<Collector<T>>
}

/** A collector whose code is loaded when the machine first has what it reads. */
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
      loading ??= load()
      return loading.then((collector) => {
        loaded = collector
        return collector.collect(tick)
      })
    },
    report: () => (loaded === undefined ? { skipped: [{ what: name, why: absence }] } : (loaded.report?.() ?? {})),
  }
}
