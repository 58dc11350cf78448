import { atMost } from './deadline.ts'

/**
 * Repeated background task of this process. Its runs never overlap. Disposing the loop stops it and waits up to 3 s for the current run.
 */
export type Loop = AsyncDisposable & {
  /** Starts the loop's next run at most `afterMs` ms from now; by default at once. If a run is in progress, one more run follows it. */
  readonly wake: (afterMs?: number) => void
  /**
   * Runs the loop's `work` now, or joins the run in progress. Resolves when that run, and runs that directly follow it, have ended. Never
   * rejects; `onError` gets the error. A closed loop runs nothing.
   */
  readonly run: () => Promise<void>
  /** Returns a promise that resolves as soon as no run of the repeated task is in progress. */
  readonly settled: () => Promise<void>
}

export type LoopOptions = {
  /**
   * Function that the loop calls for each run. It resolves to the ms until the next run: 0 for at once, `undefined` if only `wake` starts
   * one. Its abort signal aborts when the loop is closed.
   */
  readonly work: (signal: AbortSignal) => Promise<number | undefined>
  readonly onError: (error: unknown) => void
  /** Time from the start of the repeated task until its first run, in ms; 0 by default. */
  readonly firstMs?: number
  /** Time until the next run of the repeated task after a failed one, in ms; 60,000 by default. */
  readonly retryMs?: number
}

const RETRY_MS = 60_000
const MAX_DUE_WAIT_MS = 60_000
/** Maximum time, in ms (3 s), that disposing a loop waits for its current run. After it, disposing resolves although the run continues. */
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
 * Returns the delay in ms from `nowMs` to `dueMs`, at least 1 and at most 60,000, for a loop's next run. `undefined` without a due time.
 * The maximum limits the error after the clock was set.
 */
export function untilDue(nowMs: number, dueMs: number | undefined): number | undefined {
  return dueMs === undefined ? undefined : Math.min(Math.max(1, dueMs - nowMs), MAX_DUE_WAIT_MS)
}
