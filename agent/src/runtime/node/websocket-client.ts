import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type WebSocket from 'ws'
import type { Bytes, Header, RuntimeEvents, WsEnd, WsOptions } from '../runtime.ts'
import { errorText } from './error-text.ts'

export type WebSockets = {
  readonly open: (id: number, url: string, headers: readonly Header[], options: WsOptions) => void
  readonly send: (id: number, data: Bytes) => void
  readonly close: (id: number, code: number) => void
}

type Events = Pick<RuntimeEvents, 'onWsOpen' | 'onWsMessage' | 'onWsClose'>

const MAX_REFUSAL_BYTES = 1024
/** Timeout in ms, 2 s, for the close frame of the server after the agent's; then the WebSocket connection is dropped. */
const CLOSE_DEADLINE_MS = 2000

/** Creates the client of outgoing WebSockets (RFC 6455), with verified certificates. The `ws` library is loaded on first use. */
export function webSockets(events: () => Events): WebSockets {
  const sockets = new Map<number, WebSocket>()
  /** Set of the ids of WebSockets that wait for the `ws` library to load. `close` removes an id, which cancels the opening. */
  const opening = new Set<number>()

  const open = async (id: number, url: string, headers: readonly Header[], options: WsOptions): Promise<void> => {
    opening.add(id)
    const { WebSocket } = await import('ws')
    let socket: WebSocket
    try {
      if (!opening.delete(id)) return events().onWsClose(id, { kind: 'failed', reason: 'closed before it was open' })
      socket = new WebSocket(url, {
        headers: Object.fromEntries(headers),
        handshakeTimeout: options.connectDeadlineMs,
        maxPayload: options.maxMessageBytes,
        perMessageDeflate: false,
        ...connecting(url, options),
      })
    } catch (error) {
      opening.delete(id)
      return events().onWsClose(id, { kind: 'failed', reason: errorText(error) })
    }
    sockets.set(id, socket)
    attend(socket, options, {
      onOpen: () => events().onWsOpen(id),
      onMessage: (data) => events().onWsMessage(id, data),
      onEnd: (end) => {
        if (sockets.delete(id)) events().onWsClose(id, end)
      },
    })
  }

  return {
    open: (id, url, headers, options) => void open(id, url, headers, options),
    send: (id, data) => {
      const socket = sockets.get(id)
      if (socket?.readyState === socket?.OPEN) socket?.send(data)
    },
    close: (id, code) => {
      if (opening.delete(id)) return
      const socket = sockets.get(id)
      if (socket === undefined) return
      socket.close(code)
      setTimeout(() => socket.terminate(), CLOSE_DEADLINE_MS).unref()
    },
  }
}

/**
 * Returns options of the `ws` library: an HTTP `agent` object for connections through a proxy or with a pinned certificate; an empty object
 * for others. The code of that object is loaded on first use.
 */
function connecting(url: string, options: WsOptions): Pick<WebSocket.ClientOptions, 'agent'> {
  const { proxy, certificateSha256, connectDeadlineMs: deadlineMs } = options
  if (proxy === undefined && certificateSha256 === undefined) return {}
  const { protocol, hostname, port } = new URL(url)
  const isSecure = protocol === 'wss:'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const hub = { host, port: Number(port || (isSecure ? 443 : 80)), isSecure, proxy, certificateSha256, deadlineMs }
  const { Agent } = isSecure ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
  const agent = new Agent()
  agent.createConnection = (_, done) => {
    const connected = import('./hub-connection.ts').then(({ connectToHub }) => connectToHub(hub))
    if (done !== undefined) void tellEnd(connected, done)
    return undefined
  }
  return { agent }
}

async function tellEnd(connected: Promise<Socket>, done: (error: Error | null, socket: Duplex) => void): Promise<void> {
  const [end] = await Promise.allSettled([connected])
  if (end.status === 'fulfilled') return done(null, end.value)
  const reason: unknown = end.reason
  done(reason instanceof Error ? reason : new Error(String(reason)), new Duplex())
}

type Listener = {
  readonly onOpen: () => void
  readonly onMessage: (data: Bytes) => void
  readonly onEnd: (end: WsEnd) => void
}

function attend(socket: WebSocket, options: WsOptions, listener: Listener): void {
  let opened = false
  let failure = 'the connection broke'
  let nameNotFound = false
  let silence: NodeJS.Timeout | undefined
  const heard = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => {
      failure = `nothing heard for ${options.silenceMs} ms`
      socket.terminate()
    }, options.silenceMs)
  }
  socket.on('open', () => {
    opened = true
    heard()
    listener.onOpen()
  })
  socket.on('ping', heard)
  socket.on('message', (data, isBinary) => {
    heard()
    // The protocol has binary frames only; text frames are ignored.
    if (isBinary && Buffer.isBuffer(data)) listener.onMessage(data)
  })
  socket.on('unexpected-response', (request, response) => {
    readRefusal(response, (body) => {
      listener.onEnd({ kind: 'refused', status: response.statusCode ?? 0, body })
      request.destroy()
    })
  })
  socket.on('error', (error) => {
    failure = errorText(error)
    nameNotFound = 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
  })
  socket.on('close', (code, reason) => {
    clearTimeout(silence)
    listener.onEnd(
      opened
        ? { kind: 'closed', code, reason: code === 1006 ? failure : reason.toString('utf8') }
        : { kind: 'failed', reason: failure, ...(nameNotFound ? { nameNotFound } : {}) },
    )
  })
}

function readRefusal(response: IncomingMessage, done: (body: string) => void): void {
  let body = ''
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    if (body.length < MAX_REFUSAL_BYTES) body += piece.slice(0, MAX_REFUSAL_BYTES - body.length)
  })
  response.on('end', () => done(body))
  response.on('error', () => done(body))
}
