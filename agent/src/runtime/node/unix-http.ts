import type { Socket } from 'node:net'
import type { Header, HttpEvent, HttpRequest } from '../runtime.ts'
import { errorText } from './error-text.ts'
import { HttpResponseReader, type ResponsePart } from './http-response.ts'

/**
 * Maximum number of idle connections, 64, that are kept for each unix socket; further ones are closed. Docker serves as many concurrent
 * requests as there are containers.
 */
const MAX_IDLE = 64
/** Regular expression that matches text of printable ASCII characters, which is safe in an HTTP header line. */
const PLAIN = /^[\x20-\x7e]*$/
const TARGET = /^\/[\x21-\x7e]*$/

type UnixRequest = HttpRequest & { readonly to: { readonly kind: 'unix'; readonly path: string } }

export type UnixHttp = (request: UnixRequest, emit: (event: HttpEvent) => void) => void

/**
 * Callbacks for the data on a unix socket's connection. They belong to the current request; while the connection is idle they do nothing.
 */
type ConnectionListener = {
  readonly onPiece: (piece: Buffer) => void
  /** Called when the connection to the unix socket ends. `reason` is the error's text; `undefined` for a normal end. */
  readonly onLost: (reason: string | undefined) => void
}
type Connection = { readonly socket: Socket; listener: ConnectionListener }

/**
 * Size in bytes, 16 KiB, of a connection's read buffer. It fits Docker's response about one container; longer ones arrive in several
 * pieces.
 */
const PIECE_BYTES = 16 * 1024

const nobody: ConnectionListener = { onPiece: () => undefined, onLost: () => undefined }

/**
 * Opens a unix socket with one read buffer for its whole life and returns the connection. Node's streams would allocate 64 kB for each
 * piece.
 */
function connect(path: string): Connection {
  const listening: { listener: ConnectionListener } = { listener: nobody }
  const socket = process.getBuiltinModule('node:net').connect({
    path,
    onread: {
      buffer: Buffer.allocUnsafeSlow(PIECE_BYTES),
      callback: (length, buffer) => {
        listening.listener.onPiece(Buffer.from(buffer.subarray(0, length)))
        return true
      },
    },
  })
  socket.on('error', (error) => listening.listener.onLost(errorText(error)))
  socket.on('close', () => listening.listener.onLost(undefined))
  return Object.assign(listening, { socket })
}

/** Creates an HTTP/1.1 client (RFC 9112) for unix sockets with keep-alive connections. It emits the events of `Runtime.http`. */
export function unixHttp(): UnixHttp {
  const idle = new Map<string, Connection[]>()

  const connected = (path: string): Connection => {
    const kept = idle.get(path)?.pop()
    kept?.socket.ref()
    return kept ?? connect(path)
  }

  const keep = (path: string, connection: Connection): void => {
    const kept = idle.get(path) ?? []
    if (kept.length >= MAX_IDLE) return void connection.socket.destroy()
    idle.set(path, [...kept, connection])
    const drop = (): void => {
      const left = (idle.get(path) ?? []).filter((one) => one !== connection)
      if (left.length === 0) idle.delete(path)
      else idle.set(path, left)
      connection.listener = nobody
      connection.socket.destroy()
    }
    // Data on an idle connection is a protocol error and closes it. Idle connections do not keep the process alive.
    connection.listener = { onPiece: drop, onLost: drop }
    connection.socket.unref()
  }

  return (request, emit) => {
    const head = headOf(request)
    if (head === undefined) return process.nextTick(() => emit({ kind: 'failed', reason: 'the request has characters no request has' }))
    const { path } = request.to
    const connection = connected(path)
    const reader = new HttpResponseReader()
    const answer = answerOf(request, emit)
    let over = false
    const finish = (reusable: boolean): void => {
      over = true
      clearTimeout(deadline)
      connection.listener = nobody
      if (reusable) keep(path, connection)
      else connection.socket.destroy()
    }
    const fail = (reason: string): void => {
      finish(false)
      emit({ kind: 'failed', reason })
    }
    const attempt = (read: () => readonly ResponsePart[]): void => {
      try {
        for (const part of read()) {
          const end = answer(part)
          if (end === undefined) continue
          finish(end.reusable)
          emit(end.event)
          return
        }
      } catch (error) {
        if (!over) fail(errorText(error))
      }
    }
    const deadline = setTimeout(() => fail(`no answer within ${request.deadlineMs} ms`), request.deadlineMs)
    connection.listener = {
      onPiece: (piece) => attempt(() => reader.feed(piece)),
      onLost: (reason) => (reason === undefined ? attempt(() => [reader.close()]) : fail(reason)),
    }
    connection.socket.write(request.body === undefined ? head : Buffer.concat([Buffer.from(head, 'latin1'), request.body]))
  }
}

function headOf({ method, path, headers, body }: UnixRequest): string | undefined {
  // HTTP/1.1 requires a Host header, also over a unix socket.
  const host: readonly Header[] = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['Host', 'localhost']]
  const lines = [
    ...[...host, ...headers].map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ]
  if (!/^[A-Z]+$/.test(method) || !TARGET.test(path) || !lines.every((line) => PLAIN.test(line))) return undefined
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

type End = { readonly event: HttpEvent; readonly reusable: boolean }

/**
 * Creates a function that takes the parsed parts (`head`, `data`, `end`) of one HTTP response in order. It returns `undefined` until the
 * last part, then the final event: `answer`, `end` or `failed`. For a streamed request it also emits head and data with `emit`.
 */
function answerOf(request: UnixRequest, emit: (event: HttpEvent) => void): (part: ResponsePart) => End | undefined {
  const pieces: Buffer[] = []
  let length = 0
  let head: Extract<ResponsePart, { readonly kind: 'head' }> | undefined

  const takeData = (data: Buffer): End | undefined => {
    const fitting = request.maxBytes - length
    length += data.length
    if (request.stream === true) {
      if (fitting > 0) emit({ kind: 'piece', data: Uint8Array.from(data.subarray(0, fitting)) })
      return data.length > fitting ? { event: { kind: 'end', cut: true }, reusable: false } : undefined
    }
    if (data.length > fitting)
      return { event: { kind: 'failed', reason: `the answer is longer than ${request.maxBytes} bytes` }, reusable: false }
    pieces.push(data)
    return undefined
  }

  return (part) => {
    if (part.kind === 'data') return takeData(part.data)
    if (part.kind === 'head') {
      head = part
      if (request.stream === true) emit({ kind: 'head', status: part.status, headers: part.headers })
      return undefined
    }
    if (request.stream === true) return { event: { kind: 'end', cut: false }, reusable: part.reusable }
    const [only, ...more] = pieces
    const body = only !== undefined && more.length === 0 ? only : Buffer.concat(pieces)
    return { event: { kind: 'answer', status: head?.status ?? 0, headers: head?.headers ?? [], body }, reusable: part.reusable }
  }
}
