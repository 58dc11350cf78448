import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Header, HttpEvent, HttpRequest } from '../runtime.ts'
import { errorText } from './error-text.ts'
import { unixHttp } from './unix-http.ts'

type Emit = (event: HttpEvent) => void

/**
 * Creates an HTTP client with keep-alive connections, to a unix socket or an address. The returned function sends a request and calls
 * `emit` with its events.
 */
export function httpClient(): (request: HttpRequest, emit: Emit) => void {
  const overUnix = unixHttp()
  let plainAgent: Agent | undefined

  return (request, emit) => {
    const { to } = request
    if (to.kind === 'unix') return overUnix({ ...request, to }, emit)
    let deadline: NodeJS.Timeout | undefined
    let over = false
    const finish = (event: HttpEvent): void => {
      if (over) return
      over = true
      clearTimeout(deadline)
      emit(event)
    }
    let outgoing: ClientRequest
    try {
      plainAgent ??= new (process.getBuiltinModule('node:http').Agent)({ keepAlive: true, maxSockets: 64 })
      outgoing = open(to.origin, request, plainAgent)
    } catch (error) {
      const reason = errorText(error)
      process.nextTick(() => finish({ kind: 'failed', reason }))
      return
    }
    const fail = (reason: string): void => {
      finish({ kind: 'failed', reason })
      outgoing.destroy()
    }
    deadline = setTimeout(() => fail(`no answer within ${request.deadlineMs} ms`), request.deadlineMs)
    outgoing.on('error', (error) => fail(errorText(error)))
    outgoing.on('response', (response) => {
      const end = (event: HttpEvent): void => {
        finish(event)
        outgoing.destroy()
      }
      receive(response, request, { emit: (event) => over || emit(event), finish, end, fail })
    })
    outgoing.end(request.body)
  }
}

function open(address: string, { method, path, headers }: HttpRequest, agent: Agent): ClientRequest {
  const options = { method, path, headers: Object.fromEntries(headers) }
  const origin = new URL(address)
  const target = { ...options, host: origin.hostname.replace(/^\[|\]$/g, ''), port: origin.port }
  return origin.protocol === 'https:'
    ? process.getBuiltinModule('node:https').request(target)
    : process.getBuiltinModule('node:http').request({ ...target, agent })
}

type Outcomes = {
  readonly emit: (event: HttpEvent) => void
  readonly finish: (event: HttpEvent) => void
  /**
   * Passes on the last event of an HTTP request and closes the connection at once, without waiting for the rest of the response or for the
   * server.
   */
  readonly end: (event: HttpEvent) => void
  readonly fail: (reason: string) => void
}

function receive(response: IncomingMessage, request: HttpRequest, { emit, finish, end, fail }: Outcomes): void {
  const status = response.statusCode ?? 0
  const headers = pairs(response.rawHeaders)
  const pieces: Buffer[] = []
  let length = 0
  if (request.stream === true) emit({ kind: 'head', status, headers })
  response.on('data', (piece: Buffer) => {
    const fitting = request.maxBytes - length
    length += piece.length
    if (request.stream === true) {
      if (fitting > 0) emit({ kind: 'piece', data: Uint8Array.from(piece.subarray(0, fitting)) })
      if (piece.length > fitting) end({ kind: 'end', cut: true })
    } else if (piece.length > fitting) fail(`the answer is longer than ${request.maxBytes} bytes`)
    else pieces.push(piece)
  })
  response.on('error', (error) => fail(errorText(error)))
  response.on('end', () => {
    if (response.complete)
      finish(request.stream === true ? { kind: 'end', cut: false } : { kind: 'answer', status, headers, body: Buffer.concat(pieces) })
    else fail('the connection was closed in the middle of the answer')
  })
}

const pairs = (raw: readonly string[]): Header[] =>
  raw.flatMap((name, index): Header[] => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? '']] : []))
