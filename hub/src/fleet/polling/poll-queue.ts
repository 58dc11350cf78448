const EVERY_MS = 10
const AT_ONCE = 32
/**
 * Delay of the poll queue's timer, in ms (50), beyond which this process counts as overloaded. The queue then starts at most 4 polls at
 * once, not 32.
 */
const LATE_MS = 50
const AT_ONCE_WHEN_LATE = 4

/**
 * Queue of functions that start polls. It calls them in order, up to 32 every 10 ms. If its timer is over 50 ms late, because the event
 * loop is busy, it calls up to 4.
 */
export type PollQueue = {
  readonly add: (work: () => void) => void
  /** Adds a function with low priority: the queue calls it only when no function added by `add` is left. */
  readonly addLast: (work: () => void) => void
  readonly stop: () => void
}

/**
 * Creates the queue for the first polls of agents that reconnect at the same time. It starts up to 32 of them every 10 ms, so that new
 * connections are still accepted in time.
 */
export function pollQueue(nowMs: () => number): PollQueue {
  let waiting: (() => void)[] = []
  let last: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function arm(): void {
    const dueAtMs = nowMs() + EVERY_MS
    timer = setTimeout(() => tick(nowMs() - dueAtMs), EVERY_MS)
  }

  function tick(lateMs: number): void {
    const count = lateMs > LATE_MS ? AT_ONCE_WHEN_LATE : AT_ONCE
    const now = waiting.length > 0 ? waiting.splice(0, count) : last.splice(0, count)
    timer = undefined
    for (const work of now) work()
    armForMore()
  }

  function armForMore(): void {
    if (waiting.length + last.length > 0 && timer === undefined) arm()
  }

  return {
    add(work) {
      waiting.push(work)
      armForMore()
    },
    addLast(work) {
      last.push(work)
      armForMore()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
      last = []
    },
  }
}
