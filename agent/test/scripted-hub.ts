import { sign } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import { WebSocketServer, type WebSocket } from 'ws'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { isCborMap, type CborMap } from '@vedette/protocol/cbor/value'
import { encodeRequest, type Message } from '@vedette/protocol/wire/request'
import { byteTools } from '../src/runtime/node/byte-tools.ts'
import { textCodec } from '../src/link/requests.ts'

const utf8 = textCodec(byteTools)

/** Signs a token with a hub's private key, as hubs do: over the token's bytes. */
export function signToken(privateText: string, token: string): Uint8Array {
  const key = ssh2.utils.parseKey(privateText)
  if (key instanceof Error) throw key
  return sign(null, Buffer.from(token), key.getPrivatePEM())
}

/** Connection of one agent to the scripted hub. */
export class AgentConnection {
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  readonly #socket: WebSocket
  readonly #received: Uint8Array[] = []
  readonly #waiting: ((data: Uint8Array) => void)[] = []

  constructor(socket: WebSocket, headers: IncomingHttpHeaders, path: string) {
    this.#socket = socket
    this.headers = headers
    this.path = path
    this.closed = new Promise((resolve) => socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })))
    socket.on('message', (data) => {
      const bytes = Uint8Array.from(Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer))
      const waiting = this.#waiting.shift()
      if (waiting === undefined) this.#received.push(bytes)
      else waiting(bytes)
    })
  }

  send(message: Message): void {
    this.sendBytes(encodeCbor(encodeRequest(message), utf8))
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.send(bytes)
  }

  sendText(text: string): void {
    this.#socket.send(text)
  }

  ping(payload: string): Promise<string> {
    return new Promise((resolve) => {
      this.#socket.once('pong', (data) => resolve(data.toString()))
      this.#socket.ping(payload)
    })
  }

  async receive(): Promise<CborMap> {
    const bytes = this.#received.shift() ?? (await new Promise<Uint8Array>((resolve) => this.#waiting.push(resolve)))
    const item = decodeCbor(bytes, utf8)
    if (!item.ok || item.bytesRead !== bytes.length || !isCborMap(item.value)) throw new Error('The agent sent no CBOR map')
    return item.value
  }

  /** Number of messages that arrived but were not read by `receive` yet. */
  get pending(): number {
    return this.#received.length
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  drop(): void {
    this.#socket.terminate()
  }
}

/** WebSocket endpoint of a hub whose messages the test sends. */
export class ScriptedHub {
  readonly url: string
  readonly #server: Server
  readonly #sockets: WebSocketServer
  readonly #connections: AgentConnection[] = []
  readonly #waiting: ((connection: AgentConnection) => void)[] = []

  private constructor(server: Server, refuse: { readonly status: number; readonly body: string } | undefined) {
    this.#server = server
    const { address, family, port } = server.address() as AddressInfo
    this.url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/sub/path`
    this.#sockets = new WebSocketServer({ noServer: true })
    server.on('upgrade', (request, socket, head) => {
      if (refuse !== undefined) {
        socket.end(`HTTP/1.1 ${refuse.status} Refused\r\nContent-Length: ${refuse.body.length}\r\nConnection: close\r\n\r\n${refuse.body}`)
        return
      }
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new AgentConnection(webSocket, request.headers, request.url ?? '')
        const waiting = this.#waiting.shift()
        if (waiting === undefined) this.#connections.push(connection)
        else waiting(connection)
      })
    })
  }

  static async start(refuse?: { readonly status: number; readonly body: string }, at = '127.0.0.1'): Promise<ScriptedHub> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, at, resolve))
    return new ScriptedHub(server, refuse)
  }

  async agent(): Promise<AgentConnection> {
    return this.#connections.shift() ?? new Promise((resolve) => this.#waiting.push(resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
