import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { envelopeId, type Identity, type Reply } from '@vedette/protocol/wire/envelope'
import type { Request } from '@vedette/protocol/wire/request'
import type { WebSocket } from 'ws'
import type { Log } from '../log.ts'
import type { AgentSession } from './agent-session.ts'
import { within } from './deadline.ts'
import { POLL_CACHE_MS, readReply, requestBytes, toSample } from './exchange.ts'
import { AgentUnavailable } from './fleet-errors.ts'
import { utf8 } from './wire-text.ts'

const REPLY_MS = 10_000
const PING_EVERY_MS = 8000
const PONG_WITHIN_MS = 10_000

type Pending = {
  readonly expected: Exclude<Reply['kind'], 'error'>
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

/** One WebSocket of an agent: requests by id, answers in any order, pings that prove the peer alive. */
export type AgentSocket = {
  readonly closed: Promise<void>
  /** `AgentUnavailable` when the answer is late, unreadable or an error text. */
  readonly ask: (request: Request, expected: Exclude<Reply['kind'], 'error'>) => Promise<Reply>
  readonly close: (reason: string) => void
}

export function agentSocket(socket: WebSocket): AgentSocket {
  const pending = new Map<number, Pending>()
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
  const stopPinging = keepAlive(socket, () => pending.size > 0)
  let nextId = 1

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary && data.length > 0) answer(data)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopPinging()
    for (const { reject } of pending.values()) reject(new AgentUnavailable('closed', 'The agent closed the connection'))
    pending.clear()
    onClosed()
  })

  /** An answer to nothing we asked, or one that came too late, is ignored; so is what cannot be read at all. */
  function answer(data: Buffer): void {
    const item = decodeCbor(data, utf8)
    const id = item.ok ? envelopeId(item.value) : undefined
    const request = id === undefined ? undefined : pending.get(id)
    if (!item.ok || request === undefined || id === undefined) return
    pending.delete(id)
    try {
      request.resolve(readReply(item.value, request.expected))
    } catch (error) {
      request.reject(error)
    }
  }

  return {
    closed,
    close: (reason) => socket.close(1000, reason.slice(0, 120)),
    ask(request, expected) {
      const id = nextId++
      const reply = new Promise<Reply>((resolve, reject) => {
        pending.set(id, { expected, resolve, reject })
        socket.send(requestBytes({ id, request }), (error) => {
          if (error) reject(new AgentUnavailable('closed', 'Cannot send to the agent', { cause: error }))
        })
      })
      return within(REPLY_MS, 'answer', reply).finally(() => pending.delete(id))
    },
  }
}

/**
 * Pings while nothing is being asked (an agent that is busy answering may not get to a ping, and the request has its own
 * deadline); a ping without its pong ends the connection.
 */
function keepAlive(socket: WebSocket, isAsking: () => boolean): () => void {
  let lost: NodeJS.Timeout | undefined
  socket.on('pong', () => {
    clearTimeout(lost)
    lost = undefined
  })
  const pinging = setInterval(() => {
    if (lost !== undefined || isAsking()) return
    lost = setTimeout(() => socket.terminate(), PONG_WITHIN_MS)
    socket.ping()
  }, PING_EVERY_MS)
  return () => {
    clearInterval(pinging)
    clearTimeout(lost)
  }
}

/** Asks the agent who it is, proving first who we are: the signature is over the token itself, as every agent checks it. */
export async function identify(socket: AgentSocket, signature: Uint8Array, needSystemInfo: boolean): Promise<Identity> {
  const reply = await socket.ask({ action: 'fingerprint', signature, needSystemInfo }, 'identity')
  if (reply.kind === 'identity') return reply.identity
  throw new AgentUnavailable('unreadable', `The agent did not say who it is, it sent ${reply.kind}`)
}

export function webSocketSession(socket: AgentSocket, agentVersion: string, log: Log): AgentSession {
  return {
    link: 'websocket',
    agentVersion,
    closed: socket.closed,
    close: () => socket.close(''),
    fetchSample: async ({ includeDetails }) =>
      toSample(await socket.ask({ action: 'data', cacheTimeMs: POLL_CACHE_MS, includeDetails }, 'document'), log),
  }
}
