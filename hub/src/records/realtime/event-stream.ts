import type { RecordAction } from '../../platform/events/event-bus.ts'

/** Frames waiting for one reader at most, and the characters in them; a reader further behind starts anew. */
const MOST_WAITING = 2_000
const MOST_WAITING_CHARACTERS = 1_000_000
/** How long a reader that fell behind has to take its last frame before its connection is cut. */
const CUT_AFTER_MS = 10_000

/** What a reader that fell too far behind is told last: what it knows is old, it must ask again after it has come back. */
export const RESYNC_EVENT = 'VEDETTE_RESYNC'

/** One event. `data` is one line of JSON; with an action it is the record the event is about, and may be shared by many readers. */
export type EventFrame = { readonly event: string; readonly data: string; readonly action?: RecordAction }

/** One reader's stream of server-sent events (HTML standard, 9.2), with at most one waiting frame per subject: the newest. */
export type EventStream = {
  readonly body: ReadableStream<Uint8Array>
  /** `subject` names what the frame is about; a waiting frame about the same is replaced. */
  readonly send: (subject: string, frame: EventFrame) => void
  /** A comment, which keeps proxies from closing a quiet stream. */
  readonly keepAlive: () => void
  readonly close: () => void
}

/** A connection that frames are written to past the body, once that has carried the first one. */
export type Connection = {
  /** Whether the head of the answer is sent, and what is written belongs to its body. */
  readonly isOpen: () => boolean
  /** False when it takes no more for now. */
  readonly write: (text: string) => boolean
  /** Called once when it takes more again. */
  readonly onceDrained: (listener: () => void) => void
  /** Ends the connection of a reader that does not even take its last frame. */
  readonly cut: () => void
}

export type EventStreamOptions = {
  /** The id on every frame. */
  readonly id: string
  /** Called once, whoever ends the stream. */
  readonly ended: () => void
  /** What carries the body, when that is known: writing to it costs a fraction of what a stream of the web does. */
  readonly connection?: Connection | undefined
}

/** What was sent in one turn of the event loop is written together. */
const sending = new Set<() => void>()
function writeSoon(write: () => void): void {
  if (sending.size === 0) {
    setImmediate(() => {
      const all = [...sending]
      sending.clear()
      for (const one of all) one()
    })
  }
  sending.add(write)
}

export function eventStream({ id, ended, connection }: EventStreamOptions): EventStream {
  const waiting = new Map<string, EventFrame>()
  let characters = 0
  let comment = false
  let wanted: (() => void) | undefined
  let cutting: NodeJS.Timeout | undefined
  let open = true
  let begun = false

  function end(last?: EventFrame): void {
    if (!open) return
    open = false
    waiting.clear()
    if (last !== undefined) {
      waiting.set('', last)
      if (connection !== undefined) cutting = setTimeout(connection.cut, CUT_AFTER_MS).unref()
    }
    wanted?.()
    ended()
  }

  function take(): string {
    let text = ''
    for (const frame of waiting.values()) text += frameText(id, frame)
    // A comment tells nothing that a frame does not tell.
    if (comment && text === '') text = ':\n\n'
    waiting.clear()
    characters = 0
    comment = false
    return text
  }

  /** Writes to the connection itself from now on; resolves when the stream has ended and its last frame is written. */
  function writePast({ write, onceDrained }: Connection): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    let full = false
    function writeWaiting(): void {
      if (full) return
      const text = take()
      if (text !== '' && !write(text)) {
        full = true
        onceDrained(() => {
          full = false
          writeWaiting()
        })
      }
      if (!open && waiting.size === 0) resolve()
    }
    wanted = () => writeSoon(writeWaiting)
    writeWaiting()
    return over
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (begun && connection?.isOpen() === true) await writePast(connection)
        else if (waiting.size === 0 && !comment && open) await new Promise<void>((resolve) => (wanted = resolve))
        wanted = undefined
        const text = take()
        if (text !== '') controller.enqueue(Buffer.from(text))
        begun = true
        if (open) return
        clearTimeout(cutting)
        controller.close()
      },
      cancel: () => end(),
    },
    { highWaterMark: 0 },
  )
  return {
    body,
    send(subject, frame) {
      if (!open) return
      const replaced = waiting.get(subject)
      // Put it last: its news is now as young as the frame.
      waiting.delete(subject)
      characters -= replaced?.data.length ?? 0
      const news = merged(replaced, frame)
      if (news === undefined) return
      waiting.set(subject, news)
      characters += news.data.length
      if (waiting.size > MOST_WAITING || characters > MOST_WAITING_CHARACTERS) end({ event: RESYNC_EVENT, data: '{}' })
      else wanted?.()
    },
    keepAlive() {
      if (!open || waiting.size > 0) return
      comment = true
      wanted?.()
    },
    close: () => end(),
  }
}

/**
 * What an event must say to a reader who never heard the one it replaces: a record made and changed since was made, one made
 * and deleted since is nothing to them.
 */
function merged(replaced: EventFrame | undefined, frame: EventFrame): EventFrame | undefined {
  if (replaced?.action === 'create') return frame.action === 'delete' ? undefined : { ...frame, action: 'create' }
  if (replaced?.action === 'delete' && frame.action === 'create') return { ...frame, action: 'update' }
  return frame
}

/** One frame as it is sent. */
export function frameText(id: string, { event, data, action }: EventFrame): string {
  return `id:${id}\nevent:${event}\ndata:${action === undefined ? data : `{"record":${data},"action":"${action}"}`}\n\n`
}
