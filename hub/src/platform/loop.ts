import { atMost } from './deadline.ts'

/** Repeated background task of this process. Its runs never overlap. Disposing it stops it and waits up to 3 s for the current run. */
export type Loop = AsyncDisposable & {
  /**
   * Starts a run of the loop within `afterMs` milliseconds. By default it starts at once; if a run is in progress, one more run follows it.
   */
  readonly wake: (afterMs?: number) => void
  /** Starts a run of the loop, or joins the current one, and resolves when it has ended. Never rejects. */
  readonly run: () => Promise<void>
  /** Resolves when no run of the loop is in progress. */
  readonly settled: () => Promise<void>
}

export type LoopOptions = {
  /**
   * Does one run of the loop. Resolves with the ms until the next run: 0 for at once, `undefined` for no run before `wake` is called. The
   * signal aborts when the loop is closed.
   */
  readonly work: (signal: AbortSignal) => Promise<number | undefined>
  readonly onError: (error: unknown) => void
  /** Time until the loop's first run, in ms; 0 by default. */
  readonly firstMs?: number
  /** Time until the loop's next run after a failed one, in ms; 60,000 by default. */
  readonly retryMs?: number
}

const RETRY_MS = 60_000
const MAX_DUE_WAIT_MS = 60_000
/** Maximum time that disposing a loop waits for its current run, in ms. */
const CLOSE_MS = 3000

export function startLoop({ work, onError, firstMs = 0, retryMs = RETRY_MS }: LoopOptions): Loop {
  const closing = new AbortController()
  const { signal } = closing
  let next: { readonly timer: NodeJS.Timeout; readonly atMs: number } | undefined
  let isWoken = false
  let isRunning = false
  let running: Promise<void> = Promise.resolve()

  function stopTimer(): void {
    clearTimeout(next?.timer)
    next = undefined
  }

  function schedule(afterMs: number): void {
    const atMs = performance.now() + afterMs
    if (signal.aborted || (next !== undefined && next.atMs <= atMs)) return
    stopTimer()
    const due = (): void => {
      next = undefined
      wake()
    }
    next = { timer: setTimeout(due, afterMs).unref(), atMs }
  }

  async function workUntilDone(): Promise<void> {
    let waitMs: number | undefined
    do {
      isWoken = false
      stopTimer()
      try {
        waitMs = await work(signal)
      } catch (error) {
        waitMs = retryMs
        onError(error)
      }
    } while (!signal.aborted && (isWoken || waitMs === 0))
    isRunning = false
    if (waitMs !== undefined) schedule(waitMs)
  }

  async function run(): Promise<void> {
    if (!isRunning && !signal.aborted) {
      isRunning = true
      running = workUntilDone()
    }
    await running
  }

  function wake(afterMs = 0): void {
    if (afterMs > 0) return schedule(afterMs)
    isWoken = true
    void run()
  }

  if (firstMs > 0) schedule(firstMs)
  else void run()
  return {
    wake,
    run,
    async settled() {
      while (isRunning) await running
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      stopTimer()
      if (isRunning) await atMost(CLOSE_MS, running)
    },
  }
}

/**
 * Returns the delay of a loop's next run: the ms from `nowMs` until `dueMs`, limited to 1 to 60,000. `undefined` without a due time. The
 * maximum limits the delay after the clock was set back.
 */
export function untilDue(nowMs: number, dueMs: number | undefined): number | undefined {
  return dueMs === undefined ? undefined : Math.min(Math.max(1, dueMs - nowMs), MAX_DUE_WAIT_MS)
}
