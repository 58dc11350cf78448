import { createHash } from 'node:crypto'
import net from 'node:net'
import { ANNOUNCED_VERSION, isVedette } from '@vedette/protocol/wire/version'
import ssh2, { type Client } from 'ssh2'
import { describeAddress, type AgentAddress } from '../enrolment/agent-address.ts'
import type { Deadlines } from '../session/deadlines.ts'
import { AgentUnavailable, answerWithin } from '../session/fleet-errors.ts'
import { versionInIdentification } from '../session/exchange.ts'

/**
 * SSH keep-alive interval, in ms (12 s). A missing reply at the next keep-alive ends the connection, so a silent agent is noticed within 24
 * s.
 */
const KEEPALIVE_MS = 12_000
const KEEPALIVES_LOST = 1

/** Time for an agent to close its side after the hub has ended the SSH connection, in ms (1 s). Then the hub destroys the socket. */
const CLOSE_TIMEOUT_MS = 1000

/**
 * Maximum length of an SSH identification line, such as `SSH-2.0-beszel_0.18.8`, in characters: 255 (RFC 4253 §4.2). A longer one is cut.
 */
const MAX_IDENTIFICATION = 255
const MAX_BEFORE_IDENTIFICATION = 8 * MAX_IDENTIFICATION

export type SshDial = {
  readonly address: AgentAddress
  readonly privateKey: string
  /**
   * Function that checks the agent's host key during the handshake. Returns the reason (text) why the key is refused, or `undefined` to
   * accept it.
   */
  readonly judgeHostKey: (key: AgentHostKey) => string | undefined
  readonly signal: AbortSignal
  readonly deadlines: Deadlines
}

/**
 * SSH host key that an agent presents. `fingerprint` has OpenSSH's format `SHA256:…`. `isKept` is true for Vedette's agents, which have the
 * same key after a restart.
 */
export type AgentHostKey = { readonly fingerprint: string; readonly isKept: boolean }

export type SshConnection = {
  readonly client: Client
  /** Version of the agent, such as `0.18.8`, from its SSH identification; empty text when the identification has none. */
  readonly announced: string
  readonly closed: Promise<'closed'>
  /** Ends the SSH connection. Destroys the socket if the agent does not close its side within 1 s. */
  readonly close: () => void
}

/**
 * Connects to an agent over SSH, as user `u` with the hub's key, and resolves to the authenticated connection. Offers only algorithms that
 * every agent supports. Throws AgentUnavailable when a step fails.
 */
export async function dialSsh({ address, privateKey, judgeHostKey, signal, deadlines }: SshDial): Promise<SshConnection> {
  const socket = await connect(address, signal, deadlines.connectMs)
  const client = new ssh2.Client()
  let announced = ''
  let refusedKey: string | undefined
  readIdentification(socket, (identification) => (announced = versionInIdentification(identification)))
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<'closed'>()
  client.on('close', () => onClosed('closed'))
  const ready = new Promise<void>((resolve, reject) => {
    client.on('ready', resolve)
    // After the handshake errors arrive here too. The "close" event that follows ends the session.
    client.on('error', (error) =>
      reject(refusedKey === undefined ? failureOf(error, address) : new AgentUnavailable('another host key', refusedKey)),
    )
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
    hostVerifier: (key: Buffer) => {
      refusedKey = judgeHostKey({ fingerprint: fingerprintOf(key), isKept: isVedette(announced) })
      return refusedKey === undefined
    },
  })
  try {
    await answerWithin(deadlines.handshakeMs, 'finish the SSH handshake', ready)
    return { client, announced, closed, close: () => leave(client, socket) }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function leave(client: Client, socket: net.Socket): void {
  client.end()
  // The client's own `destroy` does nothing after `end`.
  const impatient = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(impatient))
}

const fingerprintOf = (key: Buffer): string => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

function connect(address: AgentAddress, signal: AbortSignal, connectMs: number): Promise<net.Socket> {
  const socket = net.connect('path' in address ? { path: address.path, signal } : { host: address.host, port: address.port, signal })
  // Nagle's algorithm would delay each poll of a near agent by 40 ms.
  socket.setNoDelay(true)
  const connected = new Promise<net.Socket>((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error) => reject(failureOf(error, address)))
  })
  return answerWithin(connectMs, 'accept the connection', connected).catch((error: unknown) => {
    socket.destroy()
    throw error
  })
}

/**
 * Reads the socket of an SSH connection beside the SSH client. Calls `onRead` with the agent's identification, the first line that begins
 * with `SSH-`; `''` when the first 2,040 bytes have none.
 */
function readIdentification(socket: net.Socket, onRead: (identification: string) => void): void {
  let text = ''
  const onData = (chunk: Buffer): void => {
    text += chunk.toString('latin1')
    const line = /^SSH-[^\r\n]*(?=\r?\n)/m.exec(text)?.[0]
    if (line === undefined && text.length < MAX_BEFORE_IDENTIFICATION) return
    socket.off('data', onData)
    onRead((line ?? '').slice(0, MAX_IDENTIFICATION))
  }
  socket.on('data', onData)
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
