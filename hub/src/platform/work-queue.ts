/** Why a work queue does not do the work. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

/** Why a work queue gave up waiting for the work. */
export class QueueLateError extends Error {
  override readonly name = 'QueueLateError'
}

export type WorkQueueLimits = {
  readonly atOnce: number
  readonly mostWaiting: number
  /** From the call to the result, waiting included. */
  readonly withinMs: number
}

/**
 * Runs work in the order it came, so many at once. Rejects with {@link QueueFullError} and {@link QueueLateError}. Work that is
 * late cannot be stopped: it keeps its place until it ends.
 */
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>

export function workQueue({ atOnce, mostWaiting, withinMs }: WorkQueueLimits): WorkQueue {
  const waiting = new Set<() => void>()
  let running = 0

  function startNext(): void {
    const [start] = waiting
    if (start === undefined || running >= atOnce) return
    waiting.delete(start)
    start()
  }

  return <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce && waiting.size >= mostWaiting) {
      return Promise.reject(new QueueFullError(`Cannot start: ${mostWaiting} others are waiting`))
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const start = (): void => {
      running += 1
      work()
        .finally(() => {
          clearTimeout(late)
          running -= 1
          startNext()
        })
        .then(resolve, reject)
    }
    const late = setTimeout(() => {
      waiting.delete(start)
      reject(new QueueLateError(`Cannot finish: it took longer than ${withinMs} ms`))
    }, withinMs)
    waiting.add(start)
    startNext()
    return promise
  }
}
