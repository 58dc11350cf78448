import net from 'node:net'
import { ANNOUNCED_VERSION, isAtLeast, versionOfIdentification } from '@vedette/protocol/wire/version'
import ssh2, { type Client, type ClientChannel } from 'ssh2'
import type { Log } from '../log.ts'
import { describeAddress, type AgentAddress } from './agent-address.ts'
import type { AgentSession } from './agent-session.ts'
import { within } from './deadline.ts'
import { MAX_REPLY_BYTES, POLL_CACHE_MS, readItem, readReply, requestBytes, toSample } from './exchange.ts'
import { AgentUnavailable } from './fleet-errors.ts'

const CONNECT_MS = 4000
const HANDSHAKE_MS = 8000
const CHANNEL_MS = 4000
const EXCHANGE_MS = 20_000

/** Two unanswered keep-alives end the connection: silence is noticed within 24 s. */
const KEEPALIVE_MS = 8000
const KEEPALIVES_LOST = 2

/** An identification line is at most 255 characters, RFC 4253 §4.2. */
const MAX_IDENTIFICATION = 255

export type SshDial = { readonly address: AgentAddress; readonly privateKey: string; readonly log: Log; readonly signal: AbortSignal }

/**
 * Connects to an agent over SSH: one TCP connection that is kept, one channel a request. The agent's host key is not
 * checked, most agents make a new one at each start; it is the agent that authenticates the hub.
 */
export async function dialAgent({ address, privateKey, log, signal }: SshDial): Promise<AgentSession> {
  const socket = await connect(address, signal)
  const identification = identificationOf(socket)
  const client = new ssh2.Client()
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  client.on('close', () => onClosed())
  const ready = new Promise<void>((resolve, reject) => {
    client.on('ready', resolve)
    // After the handshake errors arrive here too, followed by "close", which is what ends the session.
    client.on('error', (error) => reject(failureOf(error, address)))
    client.on('close', () =>
      reject(new AgentUnavailable('closed', `${describeAddress(address)} closed the connection during the handshake`)),
    )
  })
  client.connect({
    sock: socket,
    username: 'u',
    privateKey,
    ident: `beszel_${ANNOUNCED_VERSION}`,
    readyTimeout: 0,
    keepaliveInterval: KEEPALIVE_MS,
    keepaliveCountMax: KEEPALIVES_LOST,
    algorithms: {
      kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org'],
      cipher: ['chacha20-poly1305@openssh.com', 'aes256-gcm@openssh.com', 'aes128-gcm@openssh.com'],
      serverHostKey: ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-256', 'ecdsa-sha2-nistp256'],
    },
    hostVerifier: () => true,
  })
  try {
    await within(HANDSHAKE_MS, 'finish the SSH handshake', ready)
    const announced = (await identification).replace(/^[^_]*_/, '')
    const version = versionOfIdentification(`_${announced}`)
    if (version === undefined || !isAtLeast(version, [0, 13, 0])) {
      throw new AgentUnavailable('too old', `The agent at ${describeAddress(address)} announces no version of 0.13.0 or later`)
    }
    return session(client, announced, closed, log)
  } catch (error) {
    client.destroy()
    throw error
  }
}

function session(client: Client, agentVersion: string, closed: Promise<void>, log: Log): AgentSession {
  return {
    link: 'ssh',
    agentVersion,
    closed,
    close: () => client.end(),
    async fetchSample({ includeDetails }) {
      const request = requestBytes({ request: { action: 'data', cacheTimeMs: POLL_CACHE_MS, includeDetails } })
      const bytes = await exchange(client, request)
      return toSample(readReply(readItem(bytes), 'document'), log)
    },
  }
}

function connect(address: AgentAddress, signal: AbortSignal): Promise<net.Socket> {
  const socket = net.connect('path' in address ? { path: address.path, signal } : { host: address.host, port: address.port, signal })
  // With Nagle's algorithm each poll of a near agent waits 40 ms for nothing.
  socket.setNoDelay(true)
  const connected = new Promise<net.Socket>((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error) => reject(failureOf(error, address)))
  })
  return within(CONNECT_MS, 'accept the connection', connected).catch((error: unknown) => {
    socket.destroy()
    throw error
  })
}

/** The first line the peer sends that begins with `SSH-`, read beside the SSH client. */
function identificationOf(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      const line = text.split(/\r?\n/).find((one) => one.startsWith('SSH-'))
      if (line === undefined && text.length < 8 * MAX_IDENTIFICATION) return
      socket.off('data', onData)
      resolve((line ?? '').slice(0, MAX_IDENTIFICATION))
    }
    socket.on('data', onData)
  })
}

/** Opens a channel, sends the request and gives what the agent wrote until it ended the channel. */
async function exchange(client: Client, request: Uint8Array): Promise<Uint8Array> {
  const opened = new Promise<ClientChannel>((resolve, reject) => {
    client.shell(false, (error, channel) => {
      if (error) reject(new AgentUnavailable('closed', 'The agent refused a channel', { cause: error }))
      else resolve(channel)
    })
  })
  const channel = await within(CHANNEL_MS, 'open a channel', opened)
  try {
    return await within(EXCHANGE_MS, 'answer', answerOf(channel, request))
  } finally {
    channel.close()
  }
}

function answerOf(channel: ClientChannel, request: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    channel.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_REPLY_BYTES) reject(new AgentUnavailable('unreadable', `The reply is larger than ${MAX_REPLY_BYTES} bytes`))
      else chunks.push(chunk)
    })
    const finish = (status: number | null | undefined): void => {
      if (status === undefined || status === null || status === 0) resolve(Buffer.concat(chunks))
      else reject(new AgentUnavailable('agent error', `The agent ended the exchange with status ${status}`))
    }
    channel.on('exit', finish)
    channel.on('close', () => finish(undefined))
    channel.on('error', (error: Error) => reject(new AgentUnavailable('closed', 'The channel broke', { cause: error })))
    channel.end(request)
  })
}

function failureOf(error: Error & { readonly code?: string; readonly level?: string }, address: AgentAddress): AgentUnavailable {
  const at = describeAddress(address)
  const cause = { cause: error }
  if (error.level === 'client-authentication')
    return new AgentUnavailable('not authenticated', `The agent at ${at} does not accept this hub's key`, cause)
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') return new AgentUnavailable('refused', `Nothing listens at ${at}`, cause)
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return new AgentUnavailable('closed', `${at} closed the connection`, cause)
  if (error.level === 'client-timeout') return new AgentUnavailable('silent', `${at} fell silent`, cause)
  return new AgentUnavailable('unreachable', `Cannot reach ${at}: ${error.code ?? error.message}`, cause)
}
