const EVERY_MS = 10
const AT_ONCE = 32
/** A hub that comes this late to its own timers has more to do than it can. */
const LATE_MS = 50
const AT_ONCE_WHEN_LATE = 4

/** Runs what is added in the order it came; soon, but only a little of it at once while the hub is late with everything. */
export type PollQueue = { readonly add: (work: () => void) => void; readonly stop: () => void }

/**
 * For the first questions to agents that come as a herd, as after a restart: who knocks is let in before who is in is asked,
 * or those outside lose patience, knock again and make it worse.
 */
export function pollQueue(nowMs: () => number): PollQueue {
  let waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function arm(): void {
    const dueAtMs = nowMs() + EVERY_MS
    timer = setTimeout(() => tick(nowMs() - dueAtMs), EVERY_MS)
  }

  function tick(lateMs: number): void {
    const count = lateMs > LATE_MS ? AT_ONCE_WHEN_LATE : AT_ONCE
    const now = waiting.slice(0, count)
    waiting = waiting.slice(count)
    timer = undefined
    for (const work of now) work()
    if (waiting.length > 0 && timer === undefined) arm()
  }

  return {
    add(work) {
      waiting.push(work)
      if (timer === undefined) arm()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
    },
  }
}
