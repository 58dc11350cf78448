/**
 * Function that runs `work` once `source`, such as an account, has a free concurrency slot; until then `work` is queued. Settles with the
 * result or error of `work`.
 */
export type ConcurrencyLimit = <T>(source: string, work: () => Promise<T>) => Promise<T>

type Source = { running: number; readonly waiting: (() => void)[] }

/**
 * Returns a function that runs at most `atOnce` functions `work` of each source (such as an account) concurrently and queues further ones
 * in order. Queued ones start in a later turn of the event loop, so that a source with thousands of requests does not delay other sources.
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
    // The slot passes to the next queued work; newer work must not take it.
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
