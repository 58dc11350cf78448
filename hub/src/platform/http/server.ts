import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { Server, setMaxIdleHTTPParsers, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ownValue } from '@vedette/protocol/own-value'
import type { ConnectionGuard } from './connection-guard.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { standardPeerLimits } from './peer-limits.ts'

export type ListenAddress = { readonly host: string; readonly port: number }

/** Hono app, or any object with a compatible `fetch`. */
type HttpApp = { readonly fetch: Parameters<typeof getRequestListener>[0] }

/** Function that handles an HTTP upgrade request and takes over its connection. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Interval of Node's check for late headers, as a fraction of the headers' timeout: 0.1. */
const LATE_HEADERS_NOTICED = 0.1

export type ServeOptions = {
  /** Path under which proxies serve this hub, such as `/monitor`. It is removed from request URLs that still contain it. */
  readonly basePath?: string
  /** Functions that limit the server's open connections. `undefined` means no limits. */
  readonly connections?: ConnectionGuard
}

export type HttpServer = {
  /** URL of the server with its actual port: `http://HOST:PORT`. */
  readonly address: string
  readonly port: number
  /**
   * Registers the function that handles WebSocket upgrades of exactly this path. Upgrade requests for other paths are handled as plain
   * requests.
   */
  readonly onUpgrade: (path: string, handler: UpgradeHandler) => void
  /**
   * Stops the server and frees its port. Responses in progress may finish within {@link FINISH_WITHIN_MS}; then every connection is closed.
   */
  readonly close: () => Promise<void>
}

/** Time for responses in progress to finish when the hub stops, in ms. */
const FINISH_WITHIN_MS = 500

/**
 * Maximum number of connections that the kernel queues until the hub accepts them, listen(2). Many agents may connect at once: a dropped
 * SYN is retried after 1 s and 3 s, and agents give up after 5 s.
 */
const MOST_WAITING = 4096

/**
 * Keep-alive timeout of an idle connection, in ms. It exceeds the usual 60 s of proxies, so that the hub does not close a connection that a
 * proxy is about to reuse.
 */
const KEPT_FOR_MS = 75_000

/**
 * Maximum number of idle HTTP parsers that Node.js keeps, 10 KB each. Its default of 1,000 would keep 10 MB after a flood of connections.
 */
const IDLE_PARSERS = 16

/** Thrown when the hub cannot listen on an address. The message is one sentence for the operator. */
export class AddressUnusableError extends Error {
  override readonly name = 'AddressUnusableError'
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using it',
  EACCES: 'this account may not use it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such name',
}

/** Starts the HTTP server of a Hono app and resolves when it listens. Rejects with {@link AddressUnusableError}. */
export async function serve(app: HttpApp, listen: ListenAddress, { basePath = '', connections }: ServeOptions = {}): Promise<HttpServer> {
  const { headersMs } = connections?.limits ?? standardPeerLimits
  setMaxIdleHTTPParsers(IDLE_PARSERS)
  const upgrades = new Map<string, UpgradeHandler>()
  const handlerOf = ({ url = '' }: IncomingMessage): UpgradeHandler | undefined =>
    upgrades.get(withoutBase(url, basePath).split('?', 1)[0] ?? '')
  // Other upgrade requests are handled as plain requests.
  const shouldUpgradeCallback = (request: IncomingMessage): boolean =>
    request.method === 'GET' && request.headers.upgrade?.trim().toLowerCase() === 'websocket' && handlerOf(request) !== undefined
  const server = new Server(
    {
      shouldUpgradeCallback,
      headersTimeout: headersMs,
      connectionsCheckingInterval: headersMs * LATE_HEADERS_NOTICED,
      // `receiveBody` sets the timeout of the body, which depends on the session.
      requestTimeout: 0,
    },
    // The host name is for HTTP/1.0 requests without `Host`, such as health checks of load balancers.
    oneAtATime(getRequestListener(app.fetch, { hostname: 'localhost' })),
  )
  if (basePath !== '') {
    server.prependListener('request', (request: IncomingMessage) => {
      request.url = withoutBase(request.url ?? '', basePath)
    })
  }
  if (connections !== undefined) {
    server.on('connection', connections.onConnection)
    server.prependListener('request', connections.onRequest)
  }
  server.on('request', endUnreadBody)
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node.js removes its own listener at an upgrade. Without one, a connection reset would end the process.
    socket.on('error', () => socket.destroy())
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    handlerOf(request)?.(request, socket, head)
  })
  // No idle timeout: event streams may be idle for long, and some responses take minutes.
  server.timeout = 0
  server.keepAliveTimeout = KEPT_FOR_MS
  await listening(server, listen)
  return {
    address: addressOf(server),
    port: portOf(server),
    onUpgrade: (path, handler) => upgrades.set(path, handler),
    async close() {
      const closed = once(server, 'close')
      server.close()
      const impatient = setTimeout(() => {
        server.closeAllConnections()
        for (const socket of upgraded) socket.destroy()
      }, FINISH_WITHIN_MS)
      await closed
      clearTimeout(impatient)
      connections?.close()
    },
  }
}

/** Checks that the hub can listen on an address, and frees it again. Rejects with {@link AddressUnusableError}. */
export async function probeAddress(listen: ListenAddress): Promise<void> {
  const server = new Server()
  await listening(server, listen)
  const closed = once(server, 'close')
  server.close()
  await closed
}

/**
 * Closes the connection after the response to a GET or HEAD request whose body is still arriving, because the hub does not read that body.
 */
function endUnreadBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return
  outgoing.once('finish', () => {
    if (!incoming.complete) incoming.socket.destroySoon()
  })
}

function withoutBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

async function listening(server: Server, { host, port }: ListenAddress): Promise<void> {
  try {
    server.listen({ port, host, backlog: MOST_WAITING })
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new AddressUnusableError(`Cannot listen on ${host}:${port}: ${ownValue(reasons, code) ?? code}`, { cause: error })
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') return ''
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}
