import { once } from 'node:events'
import { createServer, type Socket, type ListenOptions } from 'node:net'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import type { CborValue } from '@vedette/protocol/cbor/value'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, type Identity, type Reply } from '@vedette/protocol/wire/envelope'
import { NONCE_HEADER } from '@vedette/protocol/wire/hub-proof'
import { decodeRequest, type Message, type Request } from '@vedette/protocol/wire/request'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { WebSocket } from 'ws'
import { generatePrivateKey } from '../src/fleet/ssh/hub-key.ts'
import { utf8 } from '../src/platform/utf8.ts'

/** Sample of a small machine; tests replace the values they check. */
export const machineSample: Sample = {
  cpu: { busyPercent: 12.5 },
  memory: { totalBytes: 8 * 1024 ** 3, usedBytes: 2 * 1024 ** 3, usedPercent: 25 },
  rootDisk: {
    totalBytes: 100 * 1024 ** 3,
    usedBytes: 40 * 1024 ** 3,
    usedPercent: 40,
    readBytesPerSecond: 1024,
    writtenBytesPerSecond: 2048,
  },
  network: { sentBytesPerSecond: 1000, receivedBytesPerSecond: 3000 },
  load: { oneMinute: 0.5, fiveMinutes: 0.4, fifteenMinutes: 0.3 },
  uptimeSeconds: 3600,
  agentVersion: '0.18.8',
  machine: { hostname: 'machine', cpuModel: 'Example CPU', cores: 2, threads: 4 },
}

export const documentReply = (sample: Sample): Reply => ({ kind: 'document', document: encodeDocument(sample) })

export function readMessage(bytes: Uint8Array): Message {
  const item = decodeCbor(bytes, utf8)
  const decoded = item.ok ? decodeRequest(item.value) : undefined
  if (!decoded?.ok) throw new Error('the hub sent something that is not a request')
  return decoded.message
}

export const bytesOf = (value: CborValue): Buffer => Buffer.from(encodeCbor(value, utf8))

/** An agent that the hub connects to. `requests` are the received requests; `stop` ends it with all connections. */
export type SshAgent = AsyncDisposable & {
  /** Reads nothing more, not even the end of a connection, like a machine that hangs. */
  readonly freeze: () => void
  readonly port: number
  readonly requests: readonly Message[]
  /** Number of accepted connections. */
  readonly connections: () => number
  readonly stop: () => Promise<void>
}

/** Handles a channel; `asked` resolves with the request, if the hub sends one. */
export type Behaviour = (channel: ServerChannel, asked: Promise<Message>, connection: Connection) => void | Promise<void>

export type SshAgentOptions = {
  /** Software version in the SSH identification. */
  readonly ident?: string
  readonly hostKey?: string
  /** Reply to the hub's request to open a channel. */
  readonly channels?: 'open' | 'refuse' | 'ignore'
  readonly behave: Behaviour
  /** A free port of 127.0.0.1 by default. */
  readonly at?: ListenOptions
}

/** Behaves like a current agent: one envelope per request, exit status, close. */
export const answering =
  (answer: (message: Message) => Reply): Behaviour =>
  async (channel, asked) => {
    const message = await asked
    finish(channel, bytesOf(encodeEnvelope(answer(message))))
  }

/** Writes without a request, as agents before 0.13 do. */
export const writing =
  (bytes: Uint8Array): Behaviour =>
  (channel) =>
    finish(channel, Buffer.from(bytes))

/** The end of a good exchange: exit status 0 and the close. */
export function finish(channel: ServerChannel, bytes: Buffer): void {
  if (bytes.length > 0) channel.write(bytes)
  channel.exit(0)
  channel.close()
}

export const sshAgent = (hubKeyLine: string, answer: () => Sample = () => machineSample): Promise<SshAgent> =>
  behavingSshAgent(hubKeyLine, { behave: answering(() => documentReply(answer())) })

export async function behavingSshAgent(
  hubKeyLine: string,
  {
    ident = 'beszel_0.18.8',
    hostKey = generatePrivateKey(),
    channels = 'open',
    behave,
    at = { port: 0, host: '127.0.0.1' },
  }: SshAgentOptions,
): Promise<SshAgent> {
  const allowed = ssh2.utils.parseKey(hubKeyLine)
  if (allowed instanceof Error) throw allowed
  const requests: Message[] = []
  const connections = new Set<Connection>()
  let accepted = 0
  const ssh = new ssh2.Server({ hostKeys: [hostKey], ident }, (connection) => {
    accepted++
    connections.add(connection)
    connection.on('error', () => {})
    connection.on('close', () => connections.delete(connection))
    connection.on('authentication', (context) => {
      const right = context.method === 'publickey' && context.key.data.equals(allowed.getPublicSSH())
      if (!right) context.reject(['publickey'])
      else if (context.signature === undefined || allowed.verify(context.blob ?? Buffer.of(), context.signature, context.hashAlgo))
        context.accept()
      else context.reject(['publickey'])
    })
    connection.on('session', (accept, reject) => {
      if (channels === 'refuse') reject()
      if (channels !== 'open') return
      accept().on('shell', (acceptShell) => {
        const channel = acceptShell()
        channel.on('error', () => {})
        const asked = new Promise<Message>((resolve) => {
          channel.once('data', (data: Buffer) => {
            const message = readMessage(data)
            requests.push(message)
            resolve(message)
          })
        })
        void behave(channel, asked, connection)
      })
    })
  })
  // With Nagle's algorithm each step of the handshake would wait 40 ms.
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    ssh.injectSocket(socket)
  })
  server.listen(at)
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const connection of connections) connection.end()
    await closed
  }
  // A text for one that listens on a path, which has no port.
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const freeze = (): void => sockets.forEach((socket) => socket.pause())
  const cut = async (): Promise<void> => {
    const stopped = stop()
    for (const socket of sockets) socket.destroy()
    await stopped
  }
  return { port, requests, connections: () => accepted, stop, freeze, [Symbol.asyncDispose]: cut }
}

type HubProof = Extract<Request, { readonly action: 'fingerprint' }>

export type WebSocketAgent = {
  /** Resolves with the HTTP status of a refused upgrade, or `undefined` when the connection opened or failed. */
  readonly refusedWith: Promise<number | undefined>
  readonly closedWith: Promise<{ readonly code: number; readonly reason: string }>
  readonly signatures: readonly Uint8Array[]
  /** The signatures with the data that they cover. */
  readonly proofs: readonly HubProof[]
  readonly close: () => void
}

export type WebSocketAgentOptions = {
  readonly url: string
  readonly token: string
  readonly identity: Identity
  readonly answer?: () => Sample
  /** The bytes that the hub's proof is to cover. */
  readonly nonce?: string
}

/** An agent that dials the hub. */
export function webSocketAgent({ url, token, identity, answer = () => machineSample, nonce }: WebSocketAgentOptions): WebSocketAgent {
  const announced = { 'X-Token': token, 'X-Beszel': '0.18.8', ...(nonce === undefined ? {} : { [NONCE_HEADER]: nonce }) }
  const socket = new WebSocket(url, { headers: announced, perMessageDeflate: false })
  const signatures: Uint8Array[] = []
  const proofs: HubProof[] = []
  const refused = Promise.withResolvers<number | undefined>()
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  socket.on('open', () => refused.resolve(undefined))
  socket.on('unexpected-response', (_, response) => {
    refused.resolve(response.statusCode)
    response.resume()
  })
  socket.on('error', () => refused.resolve(undefined))
  socket.on('close', (code, reason) => closed.resolve({ code, reason: reason.toString() }))
  socket.on('message', (data: Buffer) => {
    const { id, request } = readMessage(data)
    if (request.action === 'fingerprint') {
      signatures.push(request.signature)
      proofs.push(request)
    }
    const reply: Reply = request.action === 'fingerprint' ? { kind: 'identity', identity } : documentReply(answer())
    socket.send(bytesOf(encodeEnvelope(reply, id)))
  })
  return { refusedWith: refused.promise, closedWith: closed.promise, signatures, proofs, close: () => socket.close(1000) }
}
