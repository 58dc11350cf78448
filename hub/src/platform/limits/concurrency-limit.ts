/** Runs the work of a source when it is its turn. Rejects as the work does. */
export type ConcurrencyLimit = <T>(source: string, work: () => Promise<T>) => Promise<T>

type Source = { running: number; readonly waiting: (() => void)[] }

/**
 * Limits the work of each source; more of it waits in the order it came. Waiting work starts in a later turn of the event loop, after
 * the requests of others were read, which queue packages do not offer: a source with thousands of requests must delay nobody else.
 */
export function concurrencyLimit(atOnce: number): ConcurrencyLimit {
  const sources = new Map<string, Source>()

  function sourceOf(key: string): Source {
    const known = sources.get(key)
    if (known !== undefined) return known
    const source: Source = { running: 0, waiting: [] }
    sources.set(key, source)
    return source
  }

  function end(key: string, source: Source): void {
    const next = source.waiting.shift()
    // The place is handed on: newer work must not take it.
    if (next !== undefined) setImmediate(next)
    else if (--source.running === 0) sources.delete(key)
  }

  return async (key, work) => {
    const source = sourceOf(key)
    if (source.running < atOnce) source.running += 1
    else await new Promise<void>((resolve) => source.waiting.push(resolve))
    try {
      return await work()
    } finally {
      end(key, source)
    }
  }
}
