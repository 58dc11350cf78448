import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { Server, setMaxIdleHTTPParsers, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server as TlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { ConnectionGuard } from './connection-guard.ts'
import { UNIX_PREFIX, type ListenAddress } from './listening/listen-address.ts'
import { listenOn } from './listening/listen.ts'
import { acceptTls } from './listening/tls-connections.ts'
import type { TlsPair } from './listening/tls-files.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { standardPeerLimits } from './peer-limits.ts'

/** Hono app, or any object whose `fetch` takes a `Request` and returns a `Response`. */
type HttpApp = { readonly fetch: Parameters<typeof getRequestListener>[0] }

/** Function that handles an HTTP upgrade request and takes over its connection. `head` has the bytes that arrived after the request. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Factor, 0.1, from the timeout for request headers to the interval at which Node.js looks for late ones (`connectionsCheckingInterval`).
 * So late headers are noticed at most 10 % after their timeout.
 */
const LATE_HEADERS_NOTICED = 0.1

export type ServeOptions = {
  /**
   * Path under which proxies serve this hub, such as `/monitor`; `''` by default. It is removed from request URLs that still contain it.
   */
  readonly basePath?: string
  /** Functions that limit the HTTP server's open connections by client address and account. `undefined` means no limits. */
  readonly connections?: ConnectionGuard
  /** Content of TLS certificate and key as PEM, for an HTTP server that accepts only TLS. `undefined` for plain HTTP. */
  readonly tls?: TlsPair | undefined
}

export type HttpServer = {
  /** URL of the HTTP server with its actual port, `http://HOST:PORT` or `https://HOST:PORT`; for a Unix socket `unix:PATH`. */
  readonly address: string
  /** TCP port on which the HTTP server listens; 0 for a Unix socket. */
  readonly port: number
  /**
   * Registers the function that handles WebSocket upgrades of exactly this URL path. Upgrade requests for other paths are handled as plain
   * requests.
   */
  readonly onUpgrade: (path: string, handler: UpgradeHandler) => void
  /** Replaces the TLS certificate and key for new connections. Open connections keep theirs. Has no effect on a server without TLS. */
  readonly replaceTls: (pair: TlsPair) => void
  /** Stops the HTTP server and frees its port. Responses in progress may finish within 500 ms; then every connection is closed. */
  readonly close: () => Promise<void>
}

/** Time in ms (500) that HTTP responses in progress have to finish when the hub stops. After it their connections are closed. */
const FINISH_WITHIN_MS = 500

/**
 * Keep-alive timeout of an idle HTTP connection, in ms (75 s). It exceeds the usual 60 s of proxies, so that the hub does not close a
 * connection that a proxy is about to reuse.
 */
const KEPT_FOR_MS = 75_000

/**
 * Maximum number of idle HTTP parsers that Node.js keeps, 10 KB each: 16. Its default of 1,000 would keep 10 MB after a flood of
 * connections.
 */
const IDLE_PARSERS = 16

/** Starts the HTTP server of a Hono app on the address `listen` and resolves to it when it listens. Rejects with `AddressUnusableError`. */
export async function serve(
  app: HttpApp,
  listen: ListenAddress,
  { basePath = '', connections, tls }: ServeOptions = {},
): Promise<HttpServer> {
  const { headersMs } = connections?.limits ?? standardPeerLimits
  setMaxIdleHTTPParsers(IDLE_PARSERS)
  const upgrades = new Map<string, UpgradeHandler>()
  const handlerOf = ({ url = '' }: IncomingMessage): UpgradeHandler | undefined =>
    upgrades.get(withoutBase(url, basePath).split('?', 1)[0] ?? '')
  // Other upgrade requests are handled as plain requests.
  const shouldUpgradeCallback = (request: IncomingMessage): boolean =>
    request.method === 'GET' && request.headers.upgrade?.trim().toLowerCase() === 'websocket' && handlerOf(request) !== undefined
  const options = {
    shouldUpgradeCallback,
    headersTimeout: headersMs,
    connectionsCheckingInterval: headersMs * LATE_HEADERS_NOTICED,
    // `receiveBody` sets the timeout of the body, which depends on the session.
    requestTimeout: 0,
  }
  // The host name is for HTTP/1.0 requests without `Host`, such as health checks of load balancers.
  const listener = oneAtATime(getRequestListener(app.fetch, { hostname: 'localhost' }))
  const secure = tls === undefined ? undefined : new TlsServer({ ...options, ...tls, handshakeTimeout: headersMs }, listener)
  const server: Server | TlsServer = secure ?? new Server(options, listener)
  const endHandshakes =
    secure &&
    acceptTls(secure, headersMs, {
      onConnection: (raw) => connections?.onConnection(raw, 'before TLS'),
      onSecured: (raw, secured) => connections?.onSecured(raw, secured),
    })
  if (basePath !== '') {
    server.prependListener('request', (request: IncomingMessage) => {
      request.url = withoutBase(request.url ?? '', basePath)
    })
  }
  if (connections !== undefined) {
    if (secure === undefined) server.on('connection', (socket) => connections.onConnection(socket))
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
  await listenOn(server, listen)
  return {
    address: addressOf(server),
    port: portOf(server),
    replaceTls: (pair) => secure?.setSecureContext(pair),
    onUpgrade: (path, handler) => upgrades.set(path, handler),
    async close() {
      const closed = once(server, 'close')
      server.close()
      const impatient = setTimeout(() => {
        server.closeAllConnections()
        endHandshakes?.()
        for (const socket of upgraded) socket.destroy()
      }, FINISH_WITHIN_MS)
      await closed
      clearTimeout(impatient)
      connections?.close()
    },
  }
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

function portOf(server: Server | TlsServer): number {
  const address = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

function addressOf(server: Server | TlsServer): string {
  const address = server.address()
  if (address === null || typeof address === 'string') return `${UNIX_PREFIX}${address ?? ''}`
  return `${server instanceof TlsServer ? 'https' : 'http'}://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}
