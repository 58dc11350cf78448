import type { Identity, Reply } from '@vedette/protocol/wire/envelope'
import { isVedette } from '@vedette/protocol/wire/version'
import type { AgentSession } from './agent-session.ts'
import type { AgentSocket } from './agent-socket.ts'
import type { Deadlines } from './deadlines.ts'
import { documentOf } from './exchange.ts'
import { AgentUnavailable } from './fleet-errors.ts'
import { refuseUnknown } from './generation.ts'

/** What proves the hub, and whether the agent is to say where it runs. */
type Proof = { readonly signature: Uint8Array; readonly needSystemInfo: boolean }

/** Asks the agent who it is, proving first who we are: the signature is over the token itself, as every agent checks it. */
export async function identify(socket: AgentSocket, { signature, needSystemInfo }: Proof, deadlineMs: number): Promise<Identity> {
  const reply = await socket.ask({ action: 'fingerprint', signature, needSystemInfo }, deadlineMs)
  if (reply.kind === 'identity') return reply.identity
  throw new AgentUnavailable('unreadable', `The agent did not say who it is, it sent ${reply.kind}`)
}

type Peer = Pick<AgentSession, 'agentVersion' | 'peer'>

/**
 * The session over an authenticated WebSocket. Other programs' agents answer one message after the other, and reading
 * drives may take them a minute: what is asked meanwhile is sent when that answer is there, or its deadline would run out
 * for nothing.
 */
export function webSocketSession(socket: AgentSocket, { agentVersion, peer }: Peer, deadlines: Deadlines): AgentSession {
  const isOrderly = !isVedette(agentVersion)
  let slowAnswer: Promise<unknown> = Promise.resolve()
  return {
    link: 'websocket',
    agentVersion,
    peer,
    closed: socket.closed,
    close: (farewell = { code: 1000, reason: '' }) => socket.close(farewell),
    async fetchDocument({ cacheTimeMs, includeDetails }) {
      await slowAnswer
      return documentOf(await socket.ask({ action: 'data', cacheTimeMs, includeDetails }, deadlines.webSocketDataMs))
    },
    async ask(question) {
      refuseUnknown(agentVersion, question.action)
      await slowAnswer
      const reply: Promise<Reply> = socket.ask(question, deadlines.repliesMs[question.action])
      if (isOrderly && question.action === 'smart') slowAnswer = reply.catch(() => {})
      return reply
    },
  }
}
