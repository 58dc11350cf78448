import { once } from 'node:events'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import type { CborValue } from '@vedette/protocol/cbor/value'
import { decodeRequest, type Message } from '@vedette/protocol/wire/request'
import { WebSocket, type ClientOptions } from 'ws'
import { utf8 } from '../src/platform/utf8.ts'

/** WebSocket frames that an agent sends for one request: binary for bytes, text for a string. */
export type Frames = readonly (Uint8Array | string)[]

export type FramingAgent = {
  /** The received requests, undecoded. */
  readonly received: readonly Uint8Array[]
  readonly send: (frames: Frames) => void
  /** Resolves when the hub has read everything that was sent before. */
  readonly wasHeard: () => Promise<void>
  readonly closedWith: Promise<{ readonly code: number; readonly reason: string }>
  readonly close: () => void
}

export type FramingAgentOptions = {
  readonly url: string
  readonly token: string
  readonly version?: string
  /** Options of the TLS connection (tls.connect), such as `ca` and `localAddress`. */
  readonly connection?: ClientOptions & { readonly servername?: string }
  /** `count` is how many requests came before. */
  readonly answer: (message: Message, count: number) => Frames
}

/** An agent that dials the hub and whose every frame the test decides. */
export function framingAgent({ url, token, version = '0.18.8', connection = {}, answer }: FramingAgentOptions): FramingAgent {
  const { headers, ...more } = connection
  const socket = new WebSocket(url, { ...more, headers: { 'X-Token': token, 'X-Beszel': version, ...headers }, perMessageDeflate: false })
  const received: Uint8Array[] = []
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  const send = (frames: Frames): void => {
    for (const frame of frames) socket.send(frame, { binary: typeof frame !== 'string' })
  }
  socket.on('error', () => {})
  socket.on('close', (code, reason) => closed.resolve({ code, reason: reason.toString() }))
  socket.on('message', (data: Buffer) => {
    received.push(new Uint8Array(data))
    send(answer(messageOf(data), received.length - 1))
  })
  const wasHeard = async (): Promise<void> => {
    socket.ping()
    await once(socket, 'pong')
  }
  return { received, send, wasHeard, closedWith: closed.promise, close: () => socket.close(1000) }
}

function messageOf(bytes: Uint8Array): Message {
  const item = decodeCbor(bytes, utf8)
  const decoded = decodeRequest(item.ok ? item.value : (null satisfies CborValue))
  if (!decoded.ok) throw new Error('the hub sent something that is not a request')
  return decoded.message
}
