/** Frames waiting for one reader at most; a reader further behind starts anew. */
const MOST_WAITING = 2_000

/** One reader's stream of server-sent events (HTML standard, 9.2), with at most one waiting frame per subject: the newest. */
export type EventStream = {
  readonly body: ReadableStream<Uint8Array>
  /** `subject` names what the frame is about; a waiting frame about the same is replaced. */
  readonly send: (subject: string, frame: string) => void
  /** A comment, which keeps proxies from closing a quiet stream. */
  readonly keepAlive: () => void
  readonly close: () => void
}

/** `ended` is called once, whoever ends the stream. */
export function eventStream(ended: () => void): EventStream {
  const waiting = new Map<string, string>()
  const encoder = new TextEncoder()
  let wanted: (() => void) | undefined
  let open = true

  function end(): void {
    if (!open) return
    open = false
    waiting.clear()
    wanted?.()
    ended()
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (waiting.size === 0 && open) await new Promise<void>((resolve) => (wanted = resolve))
        wanted = undefined
        if (waiting.size > 0) controller.enqueue(encoder.encode([...waiting.values()].join('')))
        waiting.clear()
        if (!open) controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  return {
    body,
    send(subject, frame) {
      if (!open) return
      // Put it last: its news is now as young as the frame.
      waiting.delete(subject)
      waiting.set(subject, frame)
      if (waiting.size > MOST_WAITING) end()
      else wanted?.()
    },
    keepAlive() {
      if (open && waiting.size === 0) {
        waiting.set('', ':\n\n')
        wanted?.()
      }
    },
    close: end,
  }
}

/** One frame. The data is one line of JSON. */
export function eventFrame(id: string, event: string, data: string): string {
  return `id:${id}\nevent:${event}\ndata:${data}\n\n`
}
