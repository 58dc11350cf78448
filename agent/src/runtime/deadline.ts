import type {
  Bytes,
  HttpEvent,
  HttpRequest,
  MembersAnswer,
  MembersRequest,
  Runtime,
  RuntimeEvents,
  SlowLimits,
  SlowText,
  StreamEvent,
} from './runtime.ts'

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
}

export type HttpEnd = Extract<HttpEvent, { readonly kind: 'answer' | 'failed' }>

export type PiecesEnd = Extract<HttpEvent, { readonly kind: 'end' | 'failed' }>
export type PieceListener = {
  readonly onHead: (head: Extract<HttpEvent, { readonly kind: 'head' }>) => void
  readonly onPiece: (data: Bytes) => void
}

export type Socket = { readonly write: (data: Bytes) => void; readonly close: () => void }

/**
 * Callbacks for events of the runtime (Node or native) that the agent handles itself: programs, WebSocket, SSH and signals. Timers, HTTP,
 * streams and slow reads are handled by `Loop`, which turns them into promises.
 */
export type LoopEvents = Omit<RuntimeEvents, 'onTimer' | 'onSlowTexts' | 'onHttp' | 'onHttpMembers' | 'onStream'>

/**
 * Event loop of the agent: timers, timeouts, file reads, HTTP requests and sockets as promises or callbacks. It is built on the runtime
 * (Node or native), whose calls use numeric ids and events.
 */
export type Loop = {
  /** Calls `action` once after `delayMs` ms. Returns a function that cancels the call. */
  readonly after: (delayMs: number, action: () => void) => () => void
  /**
   * Returns a promise that settles like `promise`, but rejects with `DeadlineExceeded` after `deadlineMs` ms. `what` names the work in the
   * error's message. The work itself is not cancelled; a later outcome is ignored.
   */
  readonly within: <T>(deadlineMs: number, what: string, promise: Promise<T>) => Promise<T>
  /**
   * Reads files whose driver may wait for its device, such as those of sensors, without blocking the event loop. Resolves with text and
   * read duration for each path, in their order. The text is `null` for a file that is unreadable, too long or late. Ends after the
   * `deadlineMs` of `limits` at the latest and never rejects.
   */
  readonly readSlow: (paths: readonly string[], limits: SlowLimits) => Promise<readonly SlowText[]>
  /**
   * Sends an HTTP request. Resolves with the whole response or a failure, at the latest after the request's `deadlineMs`. Never rejects.
   */
  readonly fetch: (request: HttpRequest) => Promise<HttpEnd>
  /**
   * Sends many GET requests to one server and resolves with the wanted JSON members of each. Ends within the request's own timeouts; never
   * rejects.
   */
  readonly fetchMembers: (request: MembersRequest) => Promise<readonly MembersAnswer[]>
  /**
   * Sends an HTTP request and passes its head and the pieces of its body to `listener` as they arrive. Resolves with how the response ended
   * (complete, cut at the size limit, or failed). Never rejects.
   */
  readonly fetchPieces: (request: HttpRequest, listener: PieceListener) => Promise<PiecesEnd>
  /** Opens a unix socket and returns functions to use it. `onEvent` receives all its events, the last of which is `closed`. */
  readonly connect: (unixPath: string, onEvent: (event: StreamEvent) => void) => Socket
  readonly subscribe: (events: Partial<LoopEvents>) => void
  /** Returns a new id, unique in this process, for an asynchronous call of the runtime (Node or native). */
  readonly freshId: () => number
}

/** Creates the agent's event loop and becomes the only receiver of the events of the runtime (Node or native). Call it once per program. */
export function createLoop(runtime: Runtime): Loop {
  const timers = new Map<number, () => void>()
  const requests = new Map<number, (event: HttpEvent) => void>()
  const memberRequests = new Map<number, (answers: readonly MembersAnswer[]) => void>()
  const slowReads = new Map<number, (texts: readonly SlowText[]) => void>()
  const sockets = new Map<number, (event: StreamEvent) => void>()
  const heard: Partial<LoopEvents>[] = []
  let lastId = 0

  runtime.listen({
    onTimer: (id) => {
      const action = timers.get(id)
      timers.delete(id)
      action?.()
    },
    onHttp: (id, event) => {
      const tell = requests.get(id)
      if (event.kind !== 'head' && event.kind !== 'piece') requests.delete(id)
      tell?.(event)
    },
    onHttpMembers: (id, answers) => {
      const tell = memberRequests.get(id)
      memberRequests.delete(id)
      tell?.(answers)
    },
    onSlowTexts: (id, texts) => {
      const tell = slowReads.get(id)
      slowReads.delete(id)
      tell?.(texts)
    },
    onStream: (id, event) => {
      const tell = sockets.get(id)
      if (event.kind === 'closed') sockets.delete(id)
      tell?.(event)
    },
    onExec: (id, event) => heard.forEach((one) => one.onExec?.(id, event)),
    onWsOpen: (id) => heard.forEach((one) => one.onWsOpen?.(id)),
    onWsMessage: (id, data) => heard.forEach((one) => one.onWsMessage?.(id, data)),
    onWsClose: (id, end) => heard.forEach((one) => one.onWsClose?.(id, end)),
    onSsh: (id, identification, stdin, ended) => heard.forEach((one) => one.onSsh?.(id, identification, stdin, ended)),
    onSshServer: (event) => heard.forEach((one) => one.onSshServer?.(event)),
    onSignalReceived: (name) => heard.forEach((one) => one.onSignalReceived?.(name)),
  })

  const after: Loop['after'] = (delayMs, action) => {
    const id = ++lastId
    timers.set(id, action)
    runtime.timer(id, Math.max(0, delayMs))
    return () => {
      if (timers.delete(id)) runtime.timer(id, -1)
    }
  }

  return {
    after,
    within: (deadlineMs, what, promise) =>
      new Promise((resolve, reject) => {
        const cancel = after(deadlineMs, () => reject(new DeadlineExceeded(`${what} took longer than ${deadlineMs} ms`)))
        promise.then(
          (value) => {
            cancel()
            resolve(value)
          },
          (error: unknown) => {
            cancel()
            reject(error instanceof Error ? error : new Error(String(error)))
          },
        )
      }),
    readSlow: (paths, limits) =>
      new Promise((resolve) => {
        const id = ++lastId
        slowReads.set(id, resolve)
        runtime.readSlow(id, paths, limits)
      }),
    fetch: (request) =>
      new Promise((resolve) => {
        const id = ++lastId
        requests.set(id, (event) => {
          if (event.kind === 'answer' || event.kind === 'failed') resolve(event)
        })
        runtime.http(id, request)
      }),
    fetchMembers: (request) =>
      new Promise((resolve) => {
        const id = ++lastId
        memberRequests.set(id, resolve)
        runtime.httpMembers(id, request)
      }),
    fetchPieces: (request, { onHead, onPiece }) =>
      new Promise((resolve) => {
        const id = ++lastId
        requests.set(id, (event) => {
          if (event.kind === 'head') onHead(event)
          else if (event.kind === 'piece') onPiece(event.data)
          else if (event.kind !== 'answer') resolve(event)
        })
        runtime.http(id, { ...request, stream: true })
      }),
    connect: (unixPath, tell) => {
      const id = ++lastId
      sockets.set(id, tell)
      runtime.streamOpen(id, unixPath)
      return {
        write: (data) => runtime.streamWrite(id, data),
        close: () => runtime.streamClose(id),
      }
    },
    subscribe: (events) => {
      heard.push(events)
    },
    freshId: () => ++lastId,
  }
}
