import type { Identity } from '@vedette/protocol/wire/envelope'
import { hubProofText } from '@vedette/protocol/wire/hub-proof'
import type { Request } from '@vedette/protocol/wire/request'
import { isVedette } from '@vedette/protocol/wire/version'
import type { AgentSession } from '../session/agent-session.ts'
import type { AgentSocket } from './agent-socket.ts'
import type { Deadlines } from '../session/deadlines.ts'
import { documentOf, refuseUnknown } from '../session/exchange.ts'
import { AgentUnavailable } from '../session/fleet-errors.ts'
import type { HubKey } from '../ssh/hub-key.ts'

/** The hub's signature, and whether the agent has to send details of its machine. */
type Proof = Omit<Extract<Request, { readonly action: 'fingerprint' }>, 'action'>

/** Signs the hub's proof. An agent that sent a nonce gets a signature that covers it; a signature of the token alone could be replayed. */
export function proofOf(key: HubKey, token: string, nonce: string | undefined): Omit<Proof, 'needSystemInfo'> {
  return nonce === undefined ? { signature: key.sign(token) } : { signature: key.sign(hubProofText(nonce, token)), coversNonce: true }
}

/** Proves the hub's identity to the agent and asks for its fingerprint. */
export async function identify(socket: AgentSocket, proof: Proof, deadlineMs: number): Promise<Identity> {
  const reply = await socket.ask({ action: 'fingerprint', ...proof }, deadlineMs)
  if (reply.kind === 'identity') return reply.identity
  throw new AgentUnavailable('unreadable', `The agent did not say who it is, it sent ${reply.kind}`)
}

type Peer = Pick<AgentSession, 'agentVersion' | 'peer'>

/**
 * The session over an authenticated WebSocket. Foreign agents process messages one by one, and reading drives may take a minute.
 * Requests meanwhile are still sent, with a longer timeout: an agent that cannot read its drives sends nothing and answers the next
 * message at once.
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
      refuseUnknown(agentVersion, question.action)
      const reply = socket.ask(question, patience(deadlines.repliesMs[question.action]))
      if (question.action !== 'smart') return reply
      readingDrives++
      return reply.finally(() => readingDrives--)
    },
  }
}
