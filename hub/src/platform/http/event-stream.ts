import type { RecordAction } from '../events/event-bus.ts'

/**
 * Maximum number of server-sent events that are queued for one client: 2,000, and at most 1,000,000 characters. Beyond it the stream ends,
 * and the client must reconnect and reload all data.
 */
const MOST_WAITING = 2_000
const MOST_WAITING_CHARACTERS = 1_000_000
/** Time in ms (10 s) for a slow client to read the last server-sent event after its stream was ended. Then its connection is closed. */
const CUT_AFTER_MS = 10_000

/**
 * Name (`VEDETTE_RESYNC`) of the last server-sent event to a client that read too slowly and missed events. The client must reconnect and
 * reload all data.
 */
export const RESYNC_EVENT = 'VEDETTE_RESYNC'

/**
 * One server-sent event: its name `event` and its `data`, one line of JSON. With `action` (create, update or delete), `data` is the JSON of
 * a record; many streams may share that text.
 */
export type EventFrame = { readonly event: string; readonly data: string; readonly action?: RecordAction }

/**
 * Stream of server-sent events to one client (HTML standard, 9.2): `body` is the response body, `send` queues an event. For each subject
 * (text that identifies a record or the like), at most one event is queued.
 */
export type EventStream = {
  readonly body: ReadableStream<Uint8Array>
  /**
   * Queues a server-sent event for the client. `subject` identifies its content, such as a record; an event that is still queued for the
   * same subject is merged into it. If too much is queued, the stream instead ends with a resync event.
   */
  readonly send: (subject: string, frame: EventFrame) => void
  /** Sends a comment line to the client, unless an event is queued, so that proxies do not close an idle event stream. */
  readonly keepAlive: () => void
  readonly close: () => void
}

export type EventStreamOptions = {
  /** Id of the event stream's client, which the hub generated. Every server-sent event has it as its `id`. */
  readonly id: string
  /** Function called once when the event stream ends, whether the hub or the client ended it. */
  readonly ended: () => void
  /**
   * Function that closes the client's connection. Called when a slow client does not read its last server-sent event within 10 s.
   * `undefined` leaves the connection open.
   */
  readonly cut?: (() => void) | undefined
}

export function eventStream({ id, ended, cut }: EventStreamOptions): EventStream {
  /**
   * Map from subject (text that identifies a record or the like) to the server-sent event queued for it; events are sent in this order. The
   * map is replaced, never cleared, because V8 keeps a cleared Map's memory.
   */
  let waiting = new Map<string, EventFrame>()
  let characters = 0
  let comment = false
  /**
   * Controller of the stream that is the response body, while the client waits for more server-sent events. `undefined` otherwise; events
   * then stay queued.
   */
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

  /** Writes the queued server-sent events to the client if it is ready for data. Closes the stream after the last one if it was ended. */
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

  /**
   * Schedules writing this stream's queued server-sent events at the end of this turn of the event loop, so that all are written together.
   */
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
 * Returns the server-sent event to queue when a new one replaces a queued one of the same record. `create` then `update` gives `create`;
 * `delete` then `create` gives `update`; `create` then `delete` gives `undefined`, since the client needs none. Otherwise the new event.
 */
function merged(replaced: EventFrame | undefined, frame: EventFrame): EventFrame | undefined {
  if (replaced?.action === 'create') return frame.action === 'delete' ? undefined : { ...frame, action: 'create' }
  if (replaced?.action === 'delete' && frame.action === 'create') return { ...frame, action: 'update' }
  return frame
}

/**
 * Returns a server-sent event as text in wire format: the lines `id:`, `event:` and `data:`, then an empty line. `id` is that of the event
 * stream.
 */
export function frameText(id: string, { event, data, action }: EventFrame): string {
  return `id:${id}\nevent:${event}\ndata:${action === undefined ? data : `{"record":${data},"action":"${action}"}`}\n\n`
}
