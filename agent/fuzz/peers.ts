import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import { connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'
import { portOf } from './mutating-proxy.ts'

/** Correct server on a local port, to which a fuzz test connects the agent's clients through a corrupting proxy. Disposing it closes it. */
export type Peer = AsyncDisposable & { readonly port: number }

const path = (name: string): string => fileURLToPath(new URL(`../test/test-only-certificates/${name}`, import.meta.url))

/**
 * Path of the PEM file with the certificate of a test authority. That authority signed the certificate of the TLS server that fuzz tests
 * start.
 */
export const authorityPath = path('authority.pem')

/**
 * Starts a WebSocket server that sends each client text, binary, ping and fragmented frames (RFC 6455), echoes its messages, and closes.
 */
export async function webSocketPeer(over: 'plain' | 'TLS'): Promise<Peer> {
  const server =
    over === 'plain'
      ? createHttpServer()
      : createHttpsServer({ cert: readFileSync(path('signed.pem')), key: readFileSync(path('signed.key')) })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    socket.on('error', () => socket.terminate())
    socket.on('message', (data: Buffer) => socket.send(data))
    socket.send('a text')
    socket.send(Buffer.from('a2000001a20019ea6001f5', 'hex'))
    socket.ping('ping')
    socket.send(Buffer.alloc(200, 1), { fin: false })
    socket.send(Buffer.alloc(70_000, 2), { fin: true })
    setImmediate(() => socket.close(1001, 'going away'))
  })
  return listening(server)
}

async function listening(server: HttpServer | HttpsServer): Promise<Peer> {
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Starts a SOCKS5 proxy (RFC 1928) without authentication, and resolves with its port. It connects to the local port `target`, whatever the
 * client requests.
 */
export async function socksPeer(target: number): Promise<Peer> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.once('data', () => {
      client.write(Buffer.of(5, 0))
      client.once('data', () => {
        client.write(Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0))
        client.pipe(upstream)
        upstream.pipe(client)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Starts an HTTP proxy (CONNECT, RFC 9110 section 9.3.6), and resolves with its port. It connects to the local port `target`, whatever the
 * client requests.
 */
export async function tunnelPeer(target: number): Promise<Peer> {
  const server = createHttpServer()
  const open = new Set<Duplex>()
  server.on('connect', (_request, client: Duplex) => {
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.write('HTTP/1.1 200 Connection established\r\nVia: 1.1 proxy\r\n\r\n')
    client.pipe(upstream)
    upstream.pipe(client)
  })
  const peer = await listening(server)
  return {
    port: peer.port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await peer[Symbol.asyncDispose]()
    },
  }
}

/**
 * Starts an HTTP server for fuzz tests that responds with a container list. It uses in turn each form that Docker may use: with a length,
 * in chunks, until the connection closes, and without a body.
 */
export async function httpPeer(): Promise<Peer> {
  let asked = 0
  const server = createHttpServer((_request, response) => {
    const body = JSON.stringify(Array.from({ length: 20 }, (_, index) => ({ Id: String(index).repeat(64), Names: ['/job'] })))
    asked += 1
    if (asked % 4 === 0) response.writeHead(204).end()
    else if (asked % 4 === 1) response.writeHead(200, { 'content-length': Buffer.byteLength(body), server: 'Docker/28.0.0' }).end(body)
    else if (asked % 4 === 2) response.writeHead(200, { 'content-type': 'application/json' }).write(body, () => response.end(body))
    else {
      // Without a length and chunks, the end of the connection ends the body.
      response.useChunkedEncodingByDefault = false
      response.shouldKeepAlive = false
      response.removeHeader('content-length')
      response.writeHead(200).write(body, () => response.end())
    }
  })
  return listening(server)
}
