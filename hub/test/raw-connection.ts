import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A TCP connection to a hub that says exactly what a test wants. */
export type RawConnection = {
  readonly socket: Socket
  readonly write: (text: string) => void
  /** The text that the hub has written so far. */
  readonly text: () => string
  /** Resolves when what the hub has written matches. Rejects when the connection ends before. */
  readonly reads: (pattern: RegExp) => Promise<string>
  /** Resolves with everything the hub has written when the connection is over, however it ended. */
  readonly ended: Promise<string>
  readonly isOpen: () => boolean
}

/** Connects from an address of this machine; Linux answers on all of 127.0.0.0/8. */
export async function rawConnection(port: number, localAddress = '127.0.0.1'): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  const waiting = new Set<() => void>()
  let text = ''
  let isOpen = true
  socket.on('data', (piece: Buffer) => {
    text += piece.toString('latin1')
    for (const check of waiting) check()
  })
  // A reset is an end like any other.
  socket.on('error', () => {})
  const over = (): void => {
    isOpen = false
    socket.destroy()
    end(text)
    for (const check of waiting) check()
  }
  socket.once('end', over).once('close', over)
  await once(socket, 'connect')
  return {
    socket,
    write: (more) => void socket.write(more),
    text: () => text,
    reads: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (pattern.test(text)) resolve(text)
          else if (!isOpen) reject(new Error(`The connection ended after "${text.slice(0, 200)}"`))
          else return
          waiting.delete(check)
        }
        waiting.add(check)
        check()
      }),
    ended,
    isOpen: () => isOpen,
  }
}

/** So many connections, opened one after the other. */
export async function rawConnections(count: number, port: number, localAddress?: string): Promise<readonly RawConnection[]> {
  const all: RawConnection[] = []
  for (let at = 0; at < count; at++) all.push(await rawConnection(port, localAddress))
  return all
}

/** A request without a body. */
export const get = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  `GET ${path} HTTP/1.1\r\nHost: hub\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** An agent's request to become a WebSocket. */
export const agentUpgrade = (token: string): string =>
  get('/api/beszel/agent-connect', {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'X-Token': token,
    'X-Beszel': '0.18.8',
  })

/** The response to {@link agentUpgrade} of an agent that is let in. */
export const SWITCHED = /^HTTP\/1\.1 101 /
