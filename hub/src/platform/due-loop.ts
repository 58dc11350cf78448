import type { Clock } from './clock.ts'
import { atMost } from './deadline.ts'

/** Does what is due, as soon as it is. */
export type DueLoop = {
  /** There may be something to do. */
  readonly wake: () => void
  /** Resolves when nothing that is due is left. */
  readonly settled: () => Promise<void>
  /** Begins nothing any more; waits a moment for what goes on. */
  readonly close: () => Promise<void>
}

type Parts = {
  readonly clock: Clock
  /** Does what is due now. True when there may be more. */
  readonly work: () => Promise<boolean>
  /** When there is something to do next, epoch milliseconds; undefined: only when woken. */
  readonly nextDueMs: () => Promise<number | undefined>
  readonly onError: (error: unknown) => void
}

const LOOK_AGAIN_MS = 60_000
const LEAVE_MS = 3000

/** Works when woken and when something falls due, never twice at once. What is due stands elsewhere: nothing is lost with the process. */
export function startDueLoop({ clock, work, nextDueMs, onError }: Parts): DueLoop {
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let isAwake = false
  let working: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    while (isAwake && !closed) {
      isAwake = false
      if (await work()) isAwake = true
    }
    const next = await nextDueMs()
    if (!closed && next !== undefined) sleep(next - clock.now())
  }

  function sleep(forMs: number): void {
    clearTimeout(timer)
    // A clock that steps back must not make it sleep for as long.
    timer = setTimeout(wake, Math.min(Math.max(0, forMs), LOOK_AGAIN_MS))
    timer.unref()
  }

  function wake(): void {
    if (closed || isAwake) return
    isAwake = true
    working = working.then(run).catch((error: unknown) => {
      onError(error)
      if (!closed) sleep(LOOK_AGAIN_MS)
    })
  }

  wake()
  return {
    wake,
    async settled() {
      // Who is woken while it ends begins anew.
      for (let seen: Promise<void> | undefined; seen !== working;) {
        seen = working
        await seen
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await atMost(LEAVE_MS, working)
    },
  }
}
