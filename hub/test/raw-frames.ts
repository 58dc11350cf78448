import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A frame as RFC 6455 §5.2 lays it out; what a well-behaved library would not send is sent too. */
export type RawFrame = { readonly opcode: number; readonly payload: Uint8Array; readonly fin?: boolean; readonly masked?: boolean }

export const BINARY = 2
export const TEXT = 1
const CONTINUATION = 0
const CLOSE = 8

/** How an agent leaves. */
export type Leaving = 'TCP FIN' | 'TCP reset' | 'close frame 1000' | 'close frame 1001' | 'close frame without code'

export type RawAgent = {
  readonly send: (frames: readonly RawFrame[]) => void
  readonly leave: (how: Leaving) => void
  /** Resolves when the hub has ended the connection. */
  readonly ended: Promise<void>
  readonly isOpen: () => boolean
  /** Resolves when the hub has sent a close frame. */
  readonly dismissed: Promise<void>
}

export type RawAgentOptions = {
  readonly url: string
  readonly token: string
  readonly version: string
  /** For the hub's binary frames in their order, from 0. */
  readonly onRequest: (index: number) => readonly RawFrame[]
  /** Keeps its connection when the hub says goodbye. */
  readonly ignoresClose?: boolean
}

/** An agent that upgrades and then writes frames byte by byte. */
export async function rawAgent({ url, token, version, onRequest, ignoresClose = false }: RawAgentOptions): Promise<RawAgent> {
  const asked = get(url.replace('ws:', 'http:'), {
    agent: false,
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'X-Token': token,
      'X-Beszel': version,
    },
  })
  // The event's own three values.
  const [, socket, head] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket, Buffer]
  const ended = Promise.withResolvers<void>()
  const dismissed = Promise.withResolvers<void>()
  let unread = head
  let requests = 0
  const send = (frames: readonly RawFrame[]): void => {
    for (const frame of frames) socket.write(bytesOf(frame))
  }
  const take = (piece: Buffer): void => {
    unread = Buffer.concat([unread, piece])
    for (let frame = firstFrame(unread); frame !== undefined; frame = firstFrame(unread)) {
      unread = unread.subarray(frame.bytes)
      if (frame.opcode === BINARY) send(onRequest(requests++))
      if (frame.opcode !== CLOSE) continue
      dismissed.resolve()
      if (!ignoresClose) socket.destroy()
    }
  }
  socket.on('data', take)
  socket.on('error', () => ended.resolve())
  socket.on('close', () => ended.resolve())
  take(Buffer.of())
  return { send, leave: (how) => leave(socket, how), ended: ended.promise, isOpen: () => !socket.destroyed, dismissed: dismissed.promise }
}

/** One message in pieces. */
export function fragments(payload: Uint8Array, count: number): readonly RawFrame[] {
  const size = Math.ceil(payload.length / count)
  return Array.from({ length: count }, (_, index) => ({
    opcode: index === 0 ? BINARY : CONTINUATION,
    payload: payload.subarray(index * size, (index + 1) * size),
    fin: index === count - 1,
  }))
}

function leave(socket: Socket, how: Leaving): void {
  if (socket.destroyed) return
  if (how === 'TCP reset') socket.resetAndDestroy()
  else if (how === 'TCP FIN') socket.end()
  else {
    const code = { 'close frame 1000': '03e8', 'close frame 1001': '03e9', 'close frame without code': '' }[how]
    socket.write(bytesOf({ opcode: CLOSE, payload: Buffer.from(code, 'hex') }))
  }
}

function bytesOf({ opcode, payload, fin = true, masked = true }: RawFrame): Buffer {
  const head = Buffer.of((fin ? 0x80 : 0) | opcode)
  // Masked with zeros, the payload stays as it is.
  const mask = Buffer.alloc(masked ? 4 : 0)
  return Buffer.concat([head, lengthOf(payload.length, masked ? 0x80 : 0), mask, payload])
}

function lengthOf(bytes: number, flag: number): Buffer {
  if (bytes < 126) return Buffer.of(flag | bytes)
  const long = bytes > 0xffff
  const field = Buffer.alloc(long ? 9 : 3)
  field[0] = flag | (long ? 127 : 126)
  if (long) field.writeBigUInt64BE(BigInt(bytes), 1)
  else field.writeUInt16BE(bytes, 1)
  return field
}

/** A hub's frames are not masked, and shorter than 64 kB. */
function firstFrame(bytes: Buffer): { readonly opcode: number; readonly bytes: number } | undefined {
  if (bytes.length < 2) return undefined
  const [first = 0, short = 0] = bytes
  const start = short === 126 ? 4 : 2
  if (bytes.length < start) return undefined
  const whole = start + (short === 126 ? bytes.readUInt16BE(2) : short)
  return bytes.length < whole ? undefined : { opcode: first & 0x0f, bytes: whole }
}
