/** Thrown when a queue of work already has its maximum number of entries. The new work was not started. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

/** Thrown when queued work or a request did not finish before its timeout. It may still be running, or was never started. */
export class QueueLateError extends Error {
  override readonly name = 'QueueLateError'
}

export type WorkQueueLimits = {
  readonly atOnce: number
  readonly mostWaiting: number
  /**
   * Timeout of queued work in ms, from the call to the result, including the wait in the queue. After it the call rejects with {@link
   * QueueLateError}.
   */
  readonly withinMs: number
}

/**
 * Function that queues `work` and resolves to its result. Queued work starts in order, with limited concurrency. Rejects with {@link
 * QueueFullError} or {@link QueueLateError}. Late work that still waits is dropped. Late work that runs is not stopped and holds its slot
 * until it ends.
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
