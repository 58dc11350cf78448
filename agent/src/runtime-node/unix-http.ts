import type { Socket } from 'node:net'
import type { Header, HttpEvent, HttpRequest } from '../runtime.ts'
import { errorText } from './error-text.ts'
import { HttpResponseReader, type ResponsePart } from './http-response.ts'

/** Connections kept for the next requests; an engine answers as many at once as there are containers. */
const MAX_IDLE = 64
/** Nothing that could end the line it stands in. */
const PLAIN = /^[\x20-\x7e]*$/
const TARGET = /^\/[\x21-\x7e]*$/

type UnixRequest = HttpRequest & { readonly to: { readonly kind: 'unix'; readonly path: string } }

export type UnixHttp = (request: UnixRequest, emit: (event: HttpEvent) => void) => void

/** Requests to a program of this machine over kept connections (RFC 9112); the events are those of the runtime. */
export function unixHttp(): UnixHttp {
  const idle = new Map<string, Socket[]>()

  const forget = (path: string, socket: Socket): void => {
    const sockets = idle.get(path) ?? []
    const index = sockets.indexOf(socket)
    if (index !== -1) sockets.splice(index, 1)
    if (sockets.length === 0) idle.delete(path)
  }

  const connected = (path: string): Socket => {
    const kept = idle.get(path)?.pop()
    if (kept !== undefined) {
      kept.removeAllListeners()
      kept.ref()
      return kept
    }
    return process.getBuiltinModule('node:net').connect({ path })
  }

  const keep = (path: string, socket: Socket): void => {
    const sockets = idle.get(path) ?? []
    if (sockets.length >= MAX_IDLE) return void socket.destroy()
    idle.set(path, [...sockets, socket])
    const drop = (): void => {
      forget(path, socket)
      socket.destroy()
    }
    // An idle connection has nothing to say: whatever comes ends it, and an idle one keeps no process alive.
    for (const event of ['data', 'end', 'error', 'close']) socket.on(event, drop)
    socket.unref()
  }

  return (request, emit) => {
    const head = headOf(request)
    if (head === undefined)
      return void process.nextTick(() => emit({ kind: 'failed', reason: 'the request has characters no request has' }))
    const { path } = request.to
    const socket = connected(path)
    const reader = new HttpResponseReader()
    const answer = answerOf(request, emit)
    let over = false
    const finish = (reusable: boolean): void => {
      over = true
      clearTimeout(deadline)
      socket.removeAllListeners()
      if (reusable) return keep(path, socket)
      socket.on('error', () => undefined)
      socket.destroy()
    }
    const fail = (reason: string): void => {
      if (over) return
      finish(false)
      emit({ kind: 'failed', reason })
    }
    const take = (parts: readonly ResponsePart[]): void => {
      for (const part of parts) {
        if (over) return
        const end = answer(part)
        if (end === undefined) continue
        finish(end.reusable)
        emit(end.event)
      }
    }
    const attempt = (read: () => readonly ResponsePart[]): void => {
      try {
        take(read())
      } catch (error) {
        fail(errorText(error))
      }
    }
    const deadline = setTimeout(() => fail(`no answer within ${request.deadlineMs} ms`), request.deadlineMs)
    socket.on('data', (piece: Buffer) => attempt(() => reader.feed(piece)))
    socket.on('error', (error) => fail(errorText(error)))
    socket.on('close', () => attempt(() => (over ? [] : [reader.close()])))
    socket.write(request.body === undefined ? head : Buffer.concat([Buffer.from(head, 'latin1'), request.body]))
  }
}

function headOf({ method, path, headers, body }: UnixRequest): string | undefined {
  // Every request has a host, also one that goes to a socket.
  const host: readonly Header[] = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['Host', 'localhost']]
  const lines = [
    ...[...host, ...headers].map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ]
  if (!/^[A-Z]+$/.test(method) || !TARGET.test(path) || !lines.every((line) => PLAIN.test(line))) return undefined
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

type End = { readonly event: HttpEvent; readonly reusable: boolean }

/** What each part of an answer means for the request; its end as soon as it has one. */
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
