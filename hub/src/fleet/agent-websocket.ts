import type { Identity, Reply } from '@vedette/protocol/wire/envelope'
import { isVedette } from '@vedette/protocol/wire/version'
import type { AgentSession } from './agent-session.ts'
import type { AgentSocket } from './agent-socket.ts'
import { documentOf } from './exchange.ts'
import { AgentUnavailable } from './fleet-errors.ts'
import { refuseUnknown } from './generation.ts'
import { replyDeadlinesMs, WEBSOCKET_DATA_MS } from './reply-deadline.ts'

/** Asks the agent who it is, proving first who we are: the signature is over the token itself, as every agent checks it. */
export async function identify(socket: AgentSocket, signature: Uint8Array, needSystemInfo: boolean): Promise<Identity> {
  const reply = await socket.ask({ action: 'fingerprint', signature, needSystemInfo }, replyDeadlinesMs.fingerprint)
  if (reply.kind === 'identity') return reply.identity
  throw new AgentUnavailable('unreadable', `The agent did not say who it is, it sent ${reply.kind}`)
}

/**
 * The session over an authenticated WebSocket. Other programs' agents answer one message after the other, and reading
 * drives may take them a minute: what is asked meanwhile is sent when that answer is there, or its deadline would run out
 * for nothing.
 */
export function webSocketSession(socket: AgentSocket, agentVersion: string, peer: string): AgentSession {
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
      return documentOf(await socket.ask({ action: 'data', cacheTimeMs, includeDetails }, WEBSOCKET_DATA_MS))
    },
    async ask(question) {
      refuseUnknown(agentVersion, question.action)
      await slowAnswer
      const reply: Promise<Reply> = socket.ask(question, replyDeadlinesMs[question.action])
      if (isOrderly && question.action === 'smart') slowAnswer = reply.catch(() => {})
      return reply
    },
  }
}
