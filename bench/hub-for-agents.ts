import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import type { Utf8 } from '@vedette/protocol/cbor/value'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { decodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { encodeRequest, type Request } from '@vedette/protocol/wire/request'
import { generatePrivateKey } from '../hub/src/fleet/ssh/hub-key.ts'
import ssh2 from 'ssh2'
import { WebSocketServer, type WebSocket } from 'ws'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const utf8: Utf8 = {
  encode: (text) => encoder.encode(text),
  decode: (bytes, from = 0, to = bytes.length) => decoder.decode(bytes.subarray(from, to)),
}

export const BENCH_TOKEN = 'bench-token'

/**
 * Minimal hub for benchmarks of an agent: a real WebSocket server with a hub key, without storage. `agent` waits for an agent to connect;
 * disposing the object stops the server.
 */
export type HubForAgents = AsyncDisposable & {
  readonly url: string
  readonly publicLine: string
  readonly privateKey: string
  /** Waits for the next agent that connects. Resolves, after the agent's first reply, with an object that sends requests to it. */
  readonly agent: () => Promise<AgentUnderTest>
}

export type AgentUnderTest = {
  /** Time in epoch ms at which the agent's WebSocket to the benchmark's hub was open. */
  readonly connectedAtMs: number
  /** Time in epoch ms at which the benchmark's hub had read the agent's first reply (its identity). */
  readonly repliedAtMs: number
  readonly ask: (request: Request, expected: Exclude<Reply['kind'], 'error'>) => Promise<Reply>
}

export async function hubForAgents(): Promise<HubForAgents> {
  const privateKey = generatePrivateKey()
  const key = ssh2.utils.parseKey(privateKey)
  if (key instanceof Error) throw key
  const server = createServer()
  const webSockets = new WebSocketServer({ server, perMessageDeflate: false })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server's address is an object
    publicLine: `ssh-ed25519 ${key.getPublicSSH().toString('base64')}`,
    privateKey,
    async agent() {
      const [socket] = (await once(webSockets, 'connection')) as [WebSocket] // the event carries the socket first
      const connectedAtMs = performance.timeOrigin + performance.now()
      const agent = talkTo(socket)
      await agent.ask({ action: 'fingerprint', signature: key.sign(BENCH_TOKEN), needSystemInfo: false }, 'identity')
      return { ...agent, connectedAtMs, repliedAtMs: performance.timeOrigin + performance.now() }
    },
    async [Symbol.asyncDispose]() {
      for (const client of webSockets.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

function talkTo(socket: WebSocket): Pick<AgentUnderTest, 'ask'> {
  let id = 0
  return {
    async ask(request, expected) {
      id += 1
      socket.send(encodeCbor(encodeRequest({ id, request }), utf8))
      const [data] = (await once(socket, 'message')) as [Buffer] // the event carries the data first
      const item = decodeCbor(data, utf8)
      const reply = item.ok ? decodeEnvelope(item.value, expected) : undefined
      if (!reply?.ok || reply.reply.kind === 'error') throw new Error(`Cannot read the agent's reply to ${request.action}`)
      return reply.reply
    },
  }
}
