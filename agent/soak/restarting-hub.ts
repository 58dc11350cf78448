import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { decodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { encodeRequest, type Request } from '@vedette/protocol/wire/request'
import { nodeUtf8 } from '../../protocol/test/node-utf8.ts'
import { hubKey } from '../test/running-agent.ts'
import { signToken } from '../test/scripted-hub.ts'

export const SOAK_TOKEN = 'soak-token'

/**
 * Fake hub for soak tests at a WebSocket URL: agents connect to it, it authenticates and sends requests. It can stop and restart on the
 * same port.
 */
export type RestartingHub = AsyncDisposable & {
  readonly url: string
  /** Called with each agent that has connected to the soak test's fake hub and has accepted the hub's signature. */
  onAgent: (agent: AskedAgent) => void
  /** Stops the fake hub: closes all its connections and refuses new ones until `open` is called. Resolves when it has stopped. */
  readonly shut: () => Promise<void>
  readonly open: () => Promise<void>
}

export type AskedAgent = {
  /**
   * Sends a request of the fake hub to the agent and resolves with the CBOR bytes of its reply. Rejects when the connection closes first.
   */
  readonly ask: (request: Request) => Promise<Uint8Array>
  /** Closes the connection of this agent at once, without WebSocket close frames, as if the network failed. */
  readonly drop: () => void
}

const signature = signToken(hubKey.privateText, SOAK_TOKEN)

export async function startRestartingHub(): Promise<RestartingHub> {
  let port = 0
  let server: Server | undefined
  let sockets: WebSocketServer | undefined
  const hub: RestartingHub = {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    onAgent: () => {},
    async open() {
      server = createServer()
      sockets = new WebSocketServer({ server, perMessageDeflate: false })
      sockets.on('connection', (socket) => {
        const agent = askedAgent(socket)
        agent.ask({ action: 'fingerprint', signature, needSystemInfo: false }).then(
          () => hub.onAgent(agent),
          () => socket.terminate(),
        )
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port // a TCP server's address is an object
    },
    async shut() {
      if (server === undefined || sockets === undefined) return
      for (const client of sockets.clients) client.terminate()
      const closed = once(server, 'close')
      server.closeAllConnections()
      server.close()
      await closed
      server = undefined
    },
    [Symbol.asyncDispose]: () => hub.shut(),
  }
  await hub.open()
  return hub
}

function askedAgent(socket: WebSocket): AskedAgent {
  let id = 0
  socket.on('error', () => socket.terminate())
  return {
    drop: () => socket.terminate(),
    ask: (request) => {
      id += 1
      socket.send(encodeCbor(encodeRequest({ id, request }), nodeUtf8))
      return new Promise((resolve, reject) => {
        const ended = () => reject(new Error(`The agent ended the connection before it answered ${request.action}`))
        socket.once('close', ended)
        socket.once('message', (data: Buffer) => {
          socket.off('close', ended)
          resolve(data)
        })
      })
    },
  }
}

/**
 * Decodes the CBOR bytes of an agent's reply, which must be of the kind `expected`, such as a sample, and returns it. Throws an Error
 * otherwise.
 */
export function readReply(bytes: Uint8Array, expected: Exclude<Reply['kind'], 'error'>): Reply {
  const item = decodeCbor(bytes, nodeUtf8)
  const envelope = item.ok ? decodeEnvelope(item.value, expected) : undefined
  if (!envelope?.ok || envelope.reply.kind !== expected) throw new Error(`Cannot read the agent's reply: expected a ${expected}`)
  return envelope.reply
}
