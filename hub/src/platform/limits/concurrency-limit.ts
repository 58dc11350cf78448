/** Runs work of a source when it is its turn. Rejects with what the work rejects with. */
export type ConcurrencyLimit = <T>(source: string, work: () => Promise<T>) => Promise<T>

type Source = { running: number; readonly waiting: (() => void)[] }

/**
 * So much work of one source at once, whoever else works; what comes beyond waits, in the order it came. Work that waited begins in a
 * later turn of the event loop, after what others sent has been read: a source with thousands of requests delays them by one turn's worth.
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
    // The place is handed on, so that nobody who comes in between takes it.
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
