const EVERY_MS = 10
const AT_ONCE = 32
/** A timer that fires this late shows that the hub is overloaded. */
const LATE_MS = 50
const AT_ONCE_WHEN_LATE = 4

/** Runs work in the order it was added; soon, but only a little of it at once while the event loop is late. */
export type PollQueue = {
  readonly add: (work: () => void) => void
  /** Adds work that begins only when no other work waits. */
  readonly addLast: (work: () => void) => void
  readonly stop: () => void
}

/**
 * The queue of the first requests to agents that dial as a herd, as after a restart. Admissions come before it: an agent that
 * waits longer than 5 s for its admission gives up and dials again, which makes the herd worse.
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
