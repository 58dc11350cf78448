import type { RecordAction } from '../events/event-bus.ts'

/** Maximum number of frames queued for one client of an event stream. A slower client must reconnect and reload. */
const MOST_WAITING = 2_000
const MOST_WAITING_CHARACTERS = 1_000_000
/** Time for a slow client to read its last frame before its connection is closed, in ms. */
const CUT_AFTER_MS = 10_000

/** Name of the last server-sent event to a client that read too slowly and missed events. The client must reconnect and reload all data. */
export const RESYNC_EVENT = 'VEDETTE_RESYNC'

/**
 * One server-sent event: its name `event` and its `data`, one line of JSON. With `action` (create, update or delete), `data` is the JSON of
 * a record; many streams may share that text.
 */
export type EventFrame = { readonly event: string; readonly data: string; readonly action?: RecordAction }

/**
 * Functions that send server-sent events to one client (HTML standard, 9.2), and the response body. For each subject, such as a record,
 * only the newest event is queued.
 */
export type EventStream = {
  readonly body: ReadableStream<Uint8Array>
  /**
   * Queues a frame for the client. `subject` identifies its content, such as a record; a queued frame with the same subject is replaced.
   */
  readonly send: (subject: string, frame: EventFrame) => void
  /** Sends an SSE comment, so that proxies do not close an idle stream. */
  readonly keepAlive: () => void
  readonly close: () => void
}

export type EventStreamOptions = {
  /** Id of the client, which the hub assigned to the stream. Every frame has it as its `id`. */
  readonly id: string
  /** Called once when the stream ends, whether the hub or the client ended it. */
  readonly ended: () => void
  /** Closes the client's connection. Called when a slow client does not read its last frame. `undefined` leaves the connection open. */
  readonly cut?: (() => void) | undefined
}

export function eventStream({ id, ended, cut }: EventStreamOptions): EventStream {
  /**
   * Map from subject to queued frame. The map is replaced, never cleared, because V8 keeps the memory of a cleared Map until a full garbage
   * collection.
   */
  let waiting = new Map<string, EventFrame>()
  let characters = 0
  let comment = false
  /** Controller of the response's body stream while the client is ready for data; `undefined` while it is not. */
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
    // A frame keeps the stream alive, so the comment is not needed.
    if (comment && text === '') text = ':\n\n'
    waiting = new Map()
    characters = 0
    comment = false
    return text
  }

  /** Writes the queued frames to the client if it is ready for data. Closes the stream after the last frame. */
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

  /** Schedules a flush at the end of this turn of the event loop, so that its frames are written together. */
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
      // The frame moves to the end of the queue, because its state is the newest.
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
 * Merges a frame with the queued frame that it replaces. A record that was created and then changed is still a `create`, one that was
 * deleted and then created an `update`. `undefined` for one created and then deleted, which needs no frame.
 */
function merged(replaced: EventFrame | undefined, frame: EventFrame): EventFrame | undefined {
  if (replaced?.action === 'create') return frame.action === 'delete' ? undefined : { ...frame, action: 'create' }
  if (replaced?.action === 'delete' && frame.action === 'create') return { ...frame, action: 'update' }
  return frame
}

/** Returns a frame in the wire format of server-sent events, with the stream's `id`. */
export function frameText(id: string, { event, data, action }: EventFrame): string {
  return `id:${id}\nevent:${event}\ndata:${action === undefined ? data : `{"record":${data},"action":"${action}"}`}\n\n`
}
