import type { RecordAction } from '../events/event-bus.ts'

/** Limits of the frames that wait for one reader. A reader further behind has to start again. */
const MOST_WAITING = 2_000
const MOST_WAITING_CHARACTERS = 1_000_000
/** Time for a reader that fell behind to take its last frame before its connection is cut. */
const CUT_AFTER_MS = 10_000

/** The last event of a reader that fell too far behind. Its state is old: it must connect and load everything again. */
export const RESYNC_EVENT = 'VEDETTE_RESYNC'

/** One event. `data` is one line of JSON. With an action it is the record of the event, and may be shared by many readers. */
export type EventFrame = { readonly event: string; readonly data: string; readonly action?: RecordAction }

/** One reader's stream of server-sent events (HTML standard, 9.2), with at most one waiting frame per subject: the newest. */
export type EventStream = {
  readonly body: ReadableStream<Uint8Array>
  /** `subject` names what the frame is about. It replaces a waiting frame of the same subject. */
  readonly send: (subject: string, frame: EventFrame) => void
  /** Sends a comment, which keeps proxies from closing a quiet stream. */
  readonly keepAlive: () => void
  readonly close: () => void
}

export type EventStreamOptions = {
  /** The id on every frame. */
  readonly id: string
  /** Called once, whichever side ends the stream. */
  readonly ended: () => void
  /** Ends the connection of a reader that does not take its last frame. */
  readonly cut?: (() => void) | undefined
}

export function eventStream({ id, ended, cut }: EventStreamOptions): EventStream {
  /** Replaced, never cleared: V8 keeps the tables that a Map has dropped until a full collection, half of what those had to do (P1). */
  let waiting = new Map<string, EventFrame>()
  let characters = 0
  let comment = false
  /** Set while the reader waits for data. */
  let reader: ReadableStreamDefaultController<Uint8Array> | undefined
  let isWaking = false
  let cutting: NodeJS.Timeout | undefined
  let open = true

  function end(last?: EventFrame): void {
    if (!open) return
    open = false
    waiting = new Map()
    if (last !== undefined) {
      waiting.set('', last)
      if (cut !== undefined) cutting = setTimeout(cut, CUT_AFTER_MS).unref()
    }
    wake()
    ended()
  }

  function take(): string {
    let text = ''
    for (const frame of waiting.values()) text += frameText(id, frame)
    // A frame keeps the stream alive as well as a comment.
    if (comment && text === '') text = ':\n\n'
    waiting = new Map()
    characters = 0
    comment = false
    return text
  }

  /** Writes what waits, if the reader waits for it. */
  function flush(): void {
    if (reader === undefined) return
    const controller = reader
    const text = take()
    if (text !== '') {
      reader = undefined
      controller.enqueue(Buffer.from(text))
    }
    if (open) return
    reader = undefined
    clearTimeout(cutting)
    controller.close()
  }

  /** Events of one turn of the event loop are written together. */
  function wake(): void {
    if (isWaking || reader === undefined) return
    isWaking = true
    setImmediate(() => {
      isWaking = false
      flush()
    })
  }

  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        reader = controller
        flush()
      },
      cancel() {
        reader = undefined
        end()
      },
    },
    { highWaterMark: 0 },
  )
  return {
    body,
    send(subject, frame) {
      if (!open) return
      const replaced = waiting.get(subject)
      // The frame goes to the end of the queue: its state is newer than that of all others.
      waiting.delete(subject)
      characters -= replaced?.data.length ?? 0
      const news = merged(replaced, frame)
      if (news === undefined) return
      waiting.set(subject, news)
      characters += news.data.length
      if (waiting.size > MOST_WAITING || characters > MOST_WAITING_CHARACTERS) end({ event: RESYNC_EVENT, data: '{}' })
      else wake()
    },
    keepAlive() {
      if (!open || waiting.size > 0) return
      comment = true
      wake()
    },
    close: () => end(),
  }
}

/**
 * The event for a reader that never received the replaced one: a record created and then changed is still created, one created
 * and then deleted needs no event.
 */
function merged(replaced: EventFrame | undefined, frame: EventFrame): EventFrame | undefined {
  if (replaced?.action === 'create') return frame.action === 'delete' ? undefined : { ...frame, action: 'create' }
  if (replaced?.action === 'delete' && frame.action === 'create') return { ...frame, action: 'update' }
  return frame
}

/** One frame in its wire format. */
export function frameText(id: string, { event, data, action }: EventFrame): string {
  return `id:${id}\nevent:${event}\ndata:${action === undefined ? data : `{"record":${data},"action":"${action}"}`}\n\n`
}
