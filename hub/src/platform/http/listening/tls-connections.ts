import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { errorBody, HttpError } from '../http-error.ts'

/**
 * Functions that are called for each connection of a TLS server: `onConnection` when it was accepted, `onSecured` when its TLS handshake is
 * complete.
 */
export type TlsEvents = {
  readonly onConnection: (raw: Socket) => void
  readonly onSecured: (raw: Socket, secured: TLSSocket) => void
}

/**
 * First byte (22) of a TLS record that begins a handshake (RFC 8446, 5.1). A connection to the TLS port that begins with another byte is
 * plain HTTP.
 */
const HANDSHAKE = 22

const plain = JSON.stringify(errorBody(new HttpError(400, 'This port serves HTTPS. Use an address that begins with https://.')))
const PLAIN_REFUSAL =
  'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${Buffer.byteLength(plain)}\r\n\r\n${plain}`

/**
 * Makes a TLS server respond to plain HTTP with status 400, and calls the functions of `events` for each connection. Closes connections
 * whose handshake does not begin within `handshakeMs`. Returns a function that ends all unfinished handshakes.
 */
export function acceptTls(server: Server, handshakeMs: number, events: TlsEvents): () => void {
  const handshakes = server.listeners('connection')
  server.removeAllListeners('connection')
  const pending = new Map<string, Socket>()

  server.on('connection', (raw: Socket) => {
    const key = endpointsOf(raw)
    pending.set(key, raw)
    raw.once('close', () => {
      if (pending.get(key) === raw) pending.delete(key)
    })
    raw.on('error', () => raw.destroy())
    events.onConnection(raw)
    raw.setTimeout(handshakeMs, () => raw.destroy())
    const peek = (): void => {
      const first: unknown = raw.read(1)
      if (!(first instanceof Buffer)) return
      raw.off('readable', peek)
      raw.setTimeout(0)
      raw.unshift(first)
      if (first[0] === HANDSHAKE) for (const begin of handshakes) begin.call(server, raw)
      else refusePlain(raw)
    }
    raw.on('readable', peek)
    raw.once('end', () => raw.destroySoon())
  })

  server.on('secureConnection', (secured: TLSSocket) => {
    const key = endpointsOf(secured)
    const raw = pending.get(key)
    if (raw === undefined) return
    pending.delete(key)
    events.onSecured(raw, secured)
  })

  return () => {
    for (const raw of pending.values()) raw.destroy()
  }
}

/**
 * Responds with status 400 to a plain HTTP request on a TLS port. The remaining bytes of the request are read and dropped, so that the
 * response arrives.
 */
function refusePlain(raw: Socket): void {
  raw.resume()
  raw.setTimeout(REFUSED_WITHIN_MS, () => raw.destroy())
  raw.end(PLAIN_REFUSAL)
}

/** Time in ms (1 s) after which a connection that sent plain HTTP to the TLS port, and is idle since, is closed. */
const REFUSED_WITHIN_MS = 1000

/**
 * Returns a key for an open connection: `REMOTE_ADDRESS REMOTE_PORT LOCAL_ADDRESS`. A TLS server finds the TCP socket of a TLS socket by
 * it, because Node.js has no public link between them.
 */
const endpointsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string => `${remoteAddress} ${remotePort} ${localAddress}`
