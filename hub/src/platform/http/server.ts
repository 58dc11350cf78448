import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { Server, setMaxIdleHTTPParsers, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ownValue } from '@vedette/protocol/own-value'
import type { ConnectionGuard } from './connection-guard.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { standardPeerLimits } from './peer-limits.ts'

export type ListenAddress = { readonly host: string; readonly port: number }

/** A Hono app. */
type HttpApp = { readonly fetch: Parameters<typeof getRequestListener>[0] }

/** Takes over a connection that upgrades from HTTP. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Interval of the check for late headers, as a share of their timeout. */
const LATE_HEADERS_NOTICED = 0.1

export type ServeOptions = {
  /** Path under which proxies serve this hub, such as `/monitor`. It is removed from requests when the proxy keeps it. */
  readonly basePath?: string
  /** Limits connections. `undefined` means no limits. */
  readonly connections?: ConnectionGuard
}

export type HttpServer = {
  /** `http://HOST:PORT`, with the actual port. */
  readonly address: string
  readonly port: number
  /** Registers the WebSocket handler of an exact path. Upgrade requests for other paths are handled like plain requests. */
  readonly onUpgrade: (path: string, handler: UpgradeHandler) => void
  /** Frees the port. Responses in progress may finish within {@link FINISH_WITHIN_MS}, then every connection is closed. */
  readonly close: () => Promise<void>
}

/** Time for responses in progress when the hub stops. */
const FINISH_WITHIN_MS = 500

/**
 * Backlog of connections that the kernel holds, listen(2). Many agents may connect at once: a SYN without a place is retried only after
 * 1 s and 3 s, and agents give up after 5 s. A turn of the event loop accepts one connection (libuv).
 */
const MOST_WAITING = 4096

/**
 * Idle timeout of a connection. It exceeds the usual minute of proxies, so that the hub does not close a connection that a proxy is
 * about to reuse.
 */
const KEPT_FOR_MS = 75_000

/** Parsers that Node.js keeps for later connections, 10 KB each. Its default of 1,000 would keep 10 MB after a flood of connections. */
const IDLE_PARSERS = 16

/** Thrown when the hub cannot listen on the address. The message is one sentence for the operator. */
export class AddressUnusableError extends Error {
  override readonly name = 'AddressUnusableError'
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using it',
  EACCES: 'this account may not use it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such name',
}

/** Serves the app. Throws {@link AddressUnusableError}. */
export async function serve(app: HttpApp, listen: ListenAddress, { basePath = '', connections }: ServeOptions = {}): Promise<HttpServer> {
  const { headersMs } = connections?.limits ?? standardPeerLimits
  setMaxIdleHTTPParsers(IDLE_PARSERS)
  const upgrades = new Map<string, UpgradeHandler>()
  const handlerOf = ({ url = '' }: IncomingMessage): UpgradeHandler | undefined =>
    upgrades.get(withoutBase(url, basePath).split('?', 1)[0] ?? '')
  // Any other upgrade request gets a plain response.
  const shouldUpgradeCallback = (request: IncomingMessage): boolean =>
    request.method === 'GET' && request.headers.upgrade?.trim().toLowerCase() === 'websocket' && handlerOf(request) !== undefined
  const server = new Server(
    {
      shouldUpgradeCallback,
      headersTimeout: headersMs,
      connectionsCheckingInterval: headersMs * LATE_HEADERS_NOTICED,
      // The body has timeouts of its own, which depend on the sender.
      requestTimeout: 0,
    },
    // HTTP/1.0 requests need no Host, and load balancers check health with one.
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
  // Event streams may be idle for long, and some responses take minutes.
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

/** Checks that the hub can listen on the address. Throws {@link AddressUnusableError}; nothing stays open. */
export async function probeAddress(listen: ListenAddress): Promise<void> {
  const server = new Server()
  await listening(server, listen)
  const closed = once(server, 'close')
  server.close()
  await closed
}

/** Closes the connection after the response to a GET whose body is still arriving, because the body is not read. */
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
