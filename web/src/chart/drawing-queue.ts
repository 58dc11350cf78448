type Runtime = {
  /** Function that returns the current time, in ms, of a monotonic clock. The queue measures with it how long charts take to draw. */
  readonly now: () => number
  /**
   * Function that schedules `job` as a separate browser task (macrotask), so that input and painting can happen before it. Tests pass their
   * own.
   */
  readonly post: (job: () => void) => void
}

/**
 * Time budget for drawing charts within one browser task: 50 ms. Further charts are drawn in a later task, so that the browser can handle
 * input between.
 */
const TURN_MS = 50

/**
 * Function that calls `draw` (which draws one chart) now or, when the current browser task has used its time budget, in a later task.
 * Returns a function that cancels the call.
 */
export type QueueDrawing = (draw: () => void) => () => void

export function createDrawingQueue({ now, post }: Runtime): QueueDrawing {
  const waiting = new Set<() => void>()
  let endsAtMs: number | undefined
  const drawUntilEnd = () => {
    for (const draw of waiting) {
      if (now() >= (endsAtMs ?? 0)) return
      waiting.delete(draw)
      draw()
    }
  }
  const startTurn = () => {
    endsAtMs = now() + TURN_MS
    post(() => {
      endsAtMs = undefined
      if (waiting.size === 0) return
      startTurn()
      drawUntilEnd()
    })
  }
  return (draw) => {
    // Each call is a separate entry, even with the same function.
    const job = () => draw()
    waiting.add(job)
    if (endsAtMs === undefined) startTurn()
    drawUntilEnd()
    return () => void waiting.delete(job)
  }
}

/**
 * Shared queue for the chart drawings of this page. Calls `draw` at once while the current browser task has time left, otherwise in a later
 * task (`MessageChannel`). Returns the function that cancels that.
 */
export const queueDrawing = createDrawingQueue({
  now: () => performance.now(),
  post: (job) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', job, { once: true })
    port1.start()
    port2.postMessage(undefined)
  },
})
