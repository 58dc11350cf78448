import { decodeCbor } from '@vedette/protocol/cbor/decode'
import type { CborValue } from '@vedette/protocol/cbor/value'
import { type Identity, envelopeId, type Reply } from '@vedette/protocol/wire/envelope'
import { hubProofText } from '@vedette/protocol/wire/hub-proof'
import { decodeBareReply } from '@vedette/protocol/wire/legacy-reply'
import type { Request } from '@vedette/protocol/wire/request'
import { isVedette } from '@vedette/protocol/wire/version'
import type { WebSocket } from 'ws'
import type { AgentSession, DocumentRequest, CloseReason } from '../session/agent-session.ts'
import type { Deadlines } from '../session/deadlines.ts'
import { documentOf, refuseUnsupported, type ReplyMode, expectedReplies, readReply, requestBytes } from '../session/exchange.ts'
import { AgentUnavailable, answerWithin } from '../session/fleet-errors.ts'
import type { HubKey } from '../ssh/hub-key.ts'
import { keepAlive, type End } from '../../platform/network/websocket-keep-alive.ts'
import { utf8 } from '../../platform/utf8.ts'

/**
 * Fields of the hub's first request to an agent over a WebSocket. A signature proves the hub's identity; another field says whether the
 * agent must send details of its machine.
 */
type Proof = Omit<Extract<Request, { readonly action: 'fingerprint' }>, 'action'>

/**
 * Returns the proof of the hub's identity for an agent: a signature by the hub's key over the agent's token, and over the agent's nonce
 * (random text) if it sent one. Without a nonce the signature could be replayed.
 */
export function proofOf(key: HubKey, token: string, nonce: string | undefined): Omit<Proof, 'needSystemInfo'> {
  return nonce === undefined ? { signature: key.sign(token) } : { signature: key.sign(hubProofText(nonce, token)), coversNonce: true }
}

/**
 * Sends the hub's proof of identity to the agent, and resolves to the agent's fingerprint and host name. Rejects with AgentUnavailable when
 * the reply is not of that kind or takes longer than `deadlineMs` (ms).
 */
export async function identify(socket: AgentSocket, proof: Proof, deadlineMs: number): Promise<Identity> {
  const reply = await socket.ask({ action: 'fingerprint', ...proof }, deadlineMs)
  if (reply.kind === 'identity') return reply.identity
  throw new AgentUnavailable('unreadable', `The agent did not say who it is, it sent ${reply.kind}`)
}

type Peer = Pick<AgentSession, 'agentVersion' | 'peer'>

/**
 * Creates the agent session over an authenticated WebSocket. An agent of another project handles one request at a time. So its other
 * requests get a longer timeout while it reads drives (SMART).
 */
export function webSocketSession(socket: AgentSocket, { agentVersion, peer }: Peer, deadlines: Deadlines): AgentSession {
  const isOrderly = !isVedette(agentVersion)
  let readingDrives = 0
  const patience = (ms: number): number => (isOrderly && readingDrives > 0 ? ms + deadlines.repliesMs.smart : ms)
  return {
    link: 'websocket',
    agentVersion,
    peer,
    closed: socket.closed,
    close: (farewell = { code: 1000, reason: '' }) => socket.close(farewell),
    fetchDocument: async (request) => documentOf(await socket.measure(request, patience(deadlines.webSocketDataMs))),
    async ask(question) {
      refuseUnsupported(agentVersion, question.action)
      const reply = socket.ask(question, patience(deadlines.repliesMs[question.action]))
      if (question.action !== 'smart') return reply
      readingDrives++
      return reply.finally(() => readingDrives--)
    },
  }
}

/**
 * Time in ms (60 s), after a request to an agent timed out, in which its reply may still arrive. No pings are sent until then, because a
 * busy agent would not answer them.
 */
const LATE_REPLY_MS = 60_000

/** Maximum length of the close reason that the hub sends to an agent over a WebSocket: 123 bytes (RFC 6455 §5.5). A longer text is cut. */
const LONGEST_REASON_BYTES = 123

type Pending = {
  readonly action: Request['action']
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

/**
 * Client over the WebSocket of one agent: `ask` and `measure` send requests and resolve to replies. It pings the agent to detect that it is
 * gone; `closed` resolves then.
 */
export type AgentSocket = {
  readonly closed: Promise<End>
  /**
   * Sends a request and resolves to the reply. Throws `AgentUnavailable` when the reply takes longer than `deadlineMs` (ms), is unreadable
   * or an error text, or the connection ends.
   */
  readonly ask: (request: Request, deadlineMs: number) => Promise<Reply>
  /**
   * Requests a sample from the agent and resolves to its reply. A late reply to an earlier request with the same `cacheTimeMs` is accepted
   * too, because it is a recent sample. Throws AgentUnavailable after `deadlineMs` (ms).
   */
  readonly measure: (request: DocumentRequest, deadlineMs: number) => Promise<Reply>
  readonly close: (farewell: CloseReason) => void
}

/**
 * Creates the client that sends requests over an agent's WebSocket and returns replies. Replies are matched by request id, those of agents
 * before 0.13 by order (one request at a time). A reply to no open request is dropped. A message that cannot be decoded fails the oldest
 * request, as does one of a newer agent without an id.
 */
export function agentSocket(socket: WebSocket, replyMode: ReplyMode): AgentSocket {
  const pending = new Map<number, Pending>()
  const owed = new Map<DocumentRequest['cacheTimeMs'], Promise<Reply>>()
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<End>()
  let lateUntilMs = 0
  const pings = keepAlive(socket, () => pending.size > 0 || performance.now() < lateUntilMs)
  let nextId = 1
  let queue: Promise<unknown> = Promise.resolve()

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary && data.length > 0) answer(data)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    pings.stop()
    for (const { reject } of pending.values()) reject(new AgentUnavailable('closed', 'The agent closed the connection'))
    pending.clear()
    onClosed(pings.end())
  })

  function answer(data: Buffer): void {
    const item = decodeCbor(data, utf8)
    lateUntilMs = 0
    if (!item.ok) failOldest(() => new AgentUnavailable('unreadable', `Cannot read the reply: CBOR is ${item.error.reason}`))
    else if (replyMode === 'unsolicited') answerOldest(item.value)
    else answerById(item.value)
  }

  /**
   * Resolves the pending request to an agent that has the id of this reply. A reply with an unknown id, such as a late one, is ignored. A
   * reply without an id rejects the oldest request.
   */
  function answerById(value: CborValue): void {
    const id = envelopeId(value)
    if (id === undefined) {
      failOldest((action) => {
        readReply(value, action)
        return new AgentUnavailable('unreadable', 'Cannot read the reply: it does not say what it answers')
      })
      return
    }
    const request = pending.get(id)
    if (request === undefined) return
    pending.delete(id)
    try {
      request.resolve(readReply(value, request.action))
    } catch (error) {
      request.reject(error)
    }
  }

  /**
   * Resolves the oldest pending request to an agent with a reply that has no id (agents before 0.13). A reply of a kind that this request
   * does not expect is ignored.
   */
  function answerOldest(value: CborValue): void {
    for (const [id, { action, resolve }] of pending) {
      const expected = expectedReplies[action]
      const reply = expected === 'document' || expected === 'identity' ? decodeBareReply(value, expected) : undefined
      if (reply === undefined) return
      pending.delete(id)
      resolve(reply)
      return
    }
  }

  function failOldest(failure: (action: Request['action']) => AgentUnavailable): void {
    for (const [id, { action, reject }] of pending) {
      pending.delete(id)
      try {
        reject(failure(action))
      } catch (error) {
        reject(error)
      }
      return
    }
  }

  function send(request: Request): { readonly id: number; readonly reply: Promise<Reply> } {
    const id = nextId++
    const reply = new Promise<Reply>((resolve, reject) => {
      pending.set(id, { action: request.action, resolve, reject })
      socket.send(requestBytes({ id, request }), (error) => {
        if (error) reject(new AgentUnavailable('closed', 'Cannot send to the agent', { cause: error }))
      })
    })
    return { id, reply }
  }

  async function ask(request: Request, deadlineMs: number): Promise<Reply> {
    const { id, reply } = send(request)
    try {
      return await answerWithin(deadlineMs, 'answer', reply)
    } finally {
      if (pending.delete(id)) beLate()
    }
  }

  function inOrder(request: Request, deadlineMs: number): Promise<Reply> {
    const answered = queue.then(() => ask(request, deadlineMs))
    queue = answered.catch(() => {})
    return answered
  }

  async function measure({ cacheTimeMs, includeDetails }: DocumentRequest, deadlineMs: number): Promise<Reply> {
    const { reply } = send({ action: 'data', cacheTimeMs, includeDetails })
    const earlier = owed.get(cacheTimeMs)
    const first = earlier === undefined ? reply : Promise.race([earlier.catch(() => reply), reply])
    owed.set(cacheTimeMs, first)
    // A late failure may have no listener left.
    first.catch(() => {})
    try {
      const answer = await answerWithin(deadlineMs, 'answer', first)
      owed.delete(cacheTimeMs)
      return answer
    } catch (error) {
      if (isSilence(error)) beLate()
      else owed.delete(cacheTimeMs)
      throw error
    }
  }

  const beLate = (): void => void (lateUntilMs = performance.now() + LATE_REPLY_MS)

  return {
    closed,
    close: ({ code, reason }) => socket.close(code, shortened(reason)),
    ask: replyMode === 'on request' ? ask : inOrder,
    measure: replyMode === 'on request' ? measure : (request, deadlineMs) => inOrder({ action: 'data', ...request }, deadlineMs),
  }
}

const isSilence = (error: unknown): boolean => error instanceof AgentUnavailable && error.failure === 'silent'

function shortened(reason: string): string {
  let text = reason
  while (Buffer.byteLength(text) > LONGEST_REASON_BYTES) text = text.slice(0, -1).toWellFormed()
  return text
}
