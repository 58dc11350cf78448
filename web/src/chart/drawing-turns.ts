type Runtime = {
  /** Milliseconds, ascending. */
  readonly now: () => number
  /** Has `job` run as a task of its own, as soon as there is room for one. */
  readonly post: (job: () => void) => void
}

/** After this long, drawing yields to input and to the display of charts that are drawn already. */
const TURN_MS = 50

/** Runs `draw` now, or in one of the next tasks when this one has drawn for a while; the answer takes it back. */
export type InTurn = (draw: () => void) => () => void

export function drawingTurns({ now, post }: Runtime): InTurn {
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
    // Each is another, even of one function.
    const job = () => draw()
    waiting.add(job)
    if (endsAtMs === undefined) startTurn()
    drawUntilEnd()
    return () => void waiting.delete(job)
  }
}

/** The turns of this page. */
export const inTurn = drawingTurns({
  now: () => performance.now(),
  post: (job) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', job, { once: true })
    port1.start()
    port2.postMessage(undefined)
  },
})
