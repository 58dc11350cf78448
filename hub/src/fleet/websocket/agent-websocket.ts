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

/** What proves the hub, and whether the agent is to say where it runs. */
type Proof = Omit<Extract<Request, { readonly action: 'fingerprint' }>, 'action'>

/** An agent that sent a nonce gets a signature that covers it, and no other: one over the token alone could be replayed. */
export function proofOf(key: HubKey, token: string, nonce: string | undefined): Omit<Proof, 'needSystemInfo'> {
  return nonce === undefined ? { signature: key.sign(token) } : { signature: key.sign(hubProofText(nonce, token)), coversNonce: true }
}

/** Asks the agent who it is, proving first who we are. */
export async function identify(socket: AgentSocket, proof: Proof, deadlineMs: number): Promise<Identity> {
  const reply = await socket.ask({ action: 'fingerprint', ...proof }, deadlineMs)
  if (reply.kind === 'identity') return reply.identity
  throw new AgentUnavailable('unreadable', `The agent did not say who it is, it sent ${reply.kind}`)
}

type Peer = Pick<AgentSession, 'agentVersion' | 'peer'>

/**
 * The session over an authenticated WebSocket. Other programs' agents answer one message after the other, and reading
 * drives may take them a minute: whatever is asked meanwhile has that much longer. It is sent all the same, since an agent
 * that fails to read its drives says nothing and answers the next message at once.
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
