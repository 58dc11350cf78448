type Runtime = {
  /** Returns a monotonic time in ms. */
  readonly now: () => number
  /** Schedules `job` to run in a browser task of its own, as soon as possible. */
  readonly post: (job: () => void) => void
}

/**
 * Time in ms that one drawing task may take. After that, further drawings wait for a later task, so that the browser can handle input and
 * paint.
 */
const TURN_MS = 50

/**
 * Function that runs `draw` now, or in a later task when the current task has used its time budget. Returns a function that cancels `draw`.
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
 * Shared drawing queue of this page, on `MessageChannel` tasks. Runs `draw` now or in a later task; returns the function that cancels it.
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
