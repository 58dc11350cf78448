import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import { connectionLimits, type ConnectionSlot } from '../limits/connection-limits.ts'
import { networkOf } from '../network/ip-address.ts'
import { onceAMinute } from '../limits/once-a-minute.ts'
import type { Log } from '../log.ts'
import { errorBody, HttpError } from './http-error.ts'
import { clientAddress, type PeerAddress, type TrustedProxies } from './client-address.ts'
import { unreadResponses } from './unread-responses.ts'
import type { PeerLimits } from './peer-limits.ts'

/**
 * Limiter of the HTTP server's open connections by client address and by account. The server reports each connection and request to it; it
 * closes the oldest connections of an address or account that has too many.
 */
export type ConnectionGuard = {
  readonly limits: PeerLimits
  /**
   * Counts a new TCP connection in the limits of its address; one of a trusted proxy is not counted. With `before TLS`, the limits close it
   * without an HTTP response while its TLS handshake is incomplete.
   */
  readonly onConnection: (socket: Socket, phase?: 'before TLS') => void
  /** Replaces a TCP connection by its TLS connection (`secured`) in the connection limits, once the TLS handshake is complete. */
  readonly onSecured: (raw: Socket, secured: Socket) => void
  readonly onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  /**
   * Counts a request that upgrades to a WebSocket. Returns the handle of its connection in the connection limits, which is released when
   * the socket closes.
   */
  readonly onUpgrade: (incoming: IncomingMessage) => ConnectionSlot
  /**
   * Counts the request's connection in the limit of an account (id), no longer in the limit of its address. Call it when the request has a
   * valid session or API key of that account.
   */
  readonly proveAccount: (incoming: IncomingMessage, account: string) => void
  /**
   * Sets the function `refuse`, which is called when the connection limits end this request's connection while its body arrives; `refuse`
   * must respond and close. Returns the function that removes it.
   */
  readonly whileReceiving: (incoming: IncomingMessage, refuse: () => void) => () => void
  /**
   * Sets how many bytes of the request's body the hub holds in memory now. They count against the limit of its client address or account.
   */
  readonly holdBytes: (incoming: IncomingMessage, bytes: number) => void
  readonly close: () => void
}

type GuardParts = {
  readonly limits: PeerLimits
  readonly addressOfPeer: PeerAddress
  readonly proxies: () => TrustedProxies
  readonly clock: Clock
  readonly log: Log
}

/**
 * State of one HTTP client in the connection limits. It is that of a direct connection, or that of one request behind a trusted proxy.
 * `slot` is its handle in these limits.
 */
type Peer = { readonly slot: ConnectionSlot; socket: Socket; requests: number; isAnswered: boolean; refuse: (() => void) | undefined }

const tooMany = JSON.stringify(errorBody(new HttpError(429)))
const TOO_MANY_CONNECTIONS =
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nConnection: close\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${Buffer.byteLength(tooMany)}\r\n\r\n${tooMany}`

export function connectionGuard({ limits, addressOfPeer, proxies, clock, log }: GuardParts): ConnectionGuard {
  const books = connectionLimits(limits)
  const unread = unreadResponses(limits)
  const mayLog = onceAMinute(clock)
  /**
   * Map from socket to its client, for direct connections. The clients of trusted proxies are in `byRequest`, because a proxy's connection
   * serves many clients.
   */
  const bySocket = new WeakMap<Socket, Peer>()
  const byRequest = new WeakMap<IncomingMessage, Peer>()
  const peerOf = (incoming: IncomingMessage): Peer | undefined => byRequest.get(incoming) ?? bySocket.get(incoming.socket)

  function open(address: string, socket: Socket): Peer {
    const evict = (): void => {
      if (mayLog(networkOf(address))) log.warn('connection closed: too many connections from its address or account', { address })
      if (peer.refuse !== undefined) peer.refuse()
      else if (peer.requests === 0 && !peer.isAnswered) {
        peer.socket.end(TOO_MANY_CONNECTIONS)
        peer.socket.destroySoon()
      } else peer.socket.destroy()
    }
    const peer: Peer = { slot: books.open(address, evict), socket, requests: 0, isAnswered: false, refuse: undefined }
    return peer
  }

  function openForRequest(incoming: IncomingMessage): Peer {
    const peer = open(clientAddress(addressOfPeer(incoming.socket), incoming.headers, proxies()), incoming.socket)
    byRequest.set(incoming, peer)
    return peer
  }

  return {
    limits,
    onConnection(socket, phase) {
      const address = clientAddress(addressOfPeer(socket), {}, proxies())
      if (proxies().includes(address)) return
      const peer = open(address, socket)
      peer.isAnswered = phase === 'before TLS'
      bySocket.set(socket, peer)
      socket.once('close', peer.slot.release)
    },
    onSecured(raw, secured) {
      const peer = bySocket.get(raw)
      if (peer === undefined) return
      peer.socket = secured
      peer.isAnswered = false
      bySocket.set(secured, peer)
    },
    onRequest(incoming, outgoing) {
      const { socket } = incoming
      const direct = bySocket.get(socket)
      const peer = direct ?? openForRequest(incoming)
      peer.requests += 1
      if (peer.requests > limits.pipelinedRequests) socket.destroy()
      unread.watch(outgoing, peer.slot)
      outgoing.once('close', () => {
        peer.requests -= 1
        peer.isAnswered = true
        if (direct === undefined) peer.slot.release()
      })
    },
    onUpgrade(incoming) {
      const direct = bySocket.get(incoming.socket)
      const peer = direct ?? openForRequest(incoming)
      if (direct === undefined) incoming.socket.once('close', peer.slot.release)
      return {
        ...peer.slot,
        prove(owner, mostOfOwner) {
          // The connection becomes a WebSocket. An HTTP response on it would break its framing.
          peer.isAnswered = true
          peer.slot.prove(owner, mostOfOwner)
        },
      }
    },
    proveAccount: (incoming, account) => peerOf(incoming)?.slot.prove(`account ${account}`, limits.connectionsPerAccount),
    whileReceiving(incoming, refuse) {
      const peer = peerOf(incoming)
      if (peer !== undefined) peer.refuse = refuse
      return () => {
        if (peer?.refuse === refuse) peer.refuse = undefined
      }
    },
    holdBytes: (incoming, bytes) => peerOf(incoming)?.slot.holdBytes(bytes),
    close: unread.close,
  }
}
