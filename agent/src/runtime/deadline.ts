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
export type HeardPieces = {
  readonly onHead: (head: Extract<HttpEvent, { readonly kind: 'head' }>) => void
  readonly onPiece: (data: Bytes) => void
}

export type Socket = { readonly write: (data: Bytes) => void; readonly close: () => void }

/** Runtime events that other parts handle. Timers, file reads, HTTP responses and unix sockets are promises and callbacks of `Loop`. */
export type HeardEvents = Omit<RuntimeEvents, 'onTimer' | 'onSlowTexts' | 'onHttp' | 'onHttpMembers' | 'onStream'>

/** Promises and timers over the runtime's numbered calls. */
export type Loop = {
  /** Runs `action` once after `delayMs`; the returned function cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void
  /** The promise's outcome, or a rejection with `DeadlineExceeded` when it takes longer. A later outcome is ignored. */
  readonly within: <T>(deadlineMs: number, what: string, promise: Promise<T>) => Promise<T>
  /** Files that may wait for a device, in the order of the paths. Never rejects; ends by its own deadline. */
  readonly readSlow: (paths: readonly string[], limits: SlowLimits) => Promise<readonly SlowText[]>
  /** Never rejects; ends by the request's own deadline. */
  readonly fetch: (request: HttpRequest) => Promise<HttpEnd>
  /** Never rejects; ends by the request's own limits of time. */
  readonly fetchMembers: (request: MembersRequest) => Promise<readonly MembersAnswer[]>
  /** Streams one response chunk by chunk. */
  readonly fetchPieces: (request: HttpRequest, heard: HeardPieces) => Promise<PiecesEnd>
  /** Opens a unix socket; `heard` receives all its events up to `closed`. */
  readonly connect: (unixPath: string, heard: (event: StreamEvent) => void) => Socket
  readonly hear: (events: Partial<HeardEvents>) => void
  /** A new unique id for calls of the runtime. */
  readonly freshId: () => number
}

/** Takes over the runtime's events. One per program. */
export function createLoop(runtime: Runtime): Loop {
  const timers = new Map<number, () => void>()
  const requests = new Map<number, (event: HttpEvent) => void>()
  const memberRequests = new Map<number, (answers: readonly MembersAnswer[]) => void>()
  const slowReads = new Map<number, (texts: readonly SlowText[]) => void>()
  const sockets = new Map<number, (event: StreamEvent) => void>()
  const heard: Partial<HeardEvents>[] = []
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
    hear: (events) => {
      heard.push(events)
    },
    freshId: () => ++lastId,
  }
}
