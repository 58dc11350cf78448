import type { Collector } from './collector.ts'

export type Presence<T> = {
  /** Cheap; asked at every sample until it is there. */
  readonly isPresent: () => boolean
  /** Said by the doctor while it is not. */
  readonly absence: string
  readonly load: () => Promise<Collector<T>>
}

/** A collector whose code is loaded when the machine first has what it reads. */
export function whenPresent<T>(name: string, { isPresent, absence, load }: Presence<T>): Collector<T> {
  let loading: Promise<Collector<T>> | undefined
  let loaded: Collector<T> | undefined
  return {
    name,
    collect: (tick) => {
      if (loaded !== undefined) return loaded.collect(tick)
      if (loading === undefined && !isPresent()) return undefined
      loading ??= load()
      return loading.then((collector) => {
        loaded = collector
        return collector.collect(tick)
      })
    },
    report: () => (loaded === undefined ? { skipped: [{ what: name, why: absence }] } : (loaded.report?.() ?? {})),
  }
}
