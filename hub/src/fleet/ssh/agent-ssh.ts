import { describeAddress } from '../enrolment/agent-address.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { replyModeOf, readItem, readReply, readWrittenDocument, refuseUnsupported, requestBytes } from '../session/exchange.ts'
import { dialSsh, type SshDial } from './ssh-dial.ts'
import { exchange } from './ssh-exchange.ts'

/**
 * Connects to an agent over SSH and resolves to the session: one persistent TCP connection, one channel per request. Throws
 * AgentUnavailable when the connection fails.
 */
export async function dialAgent(dial: SshDial): Promise<AgentSession> {
  const { client, announced, closed, close } = await dialSsh(dial)
  const { deadlines } = dial
  const replyMode = replyModeOf(announced)
  return {
    link: 'ssh',
    agentVersion: announced,
    peer: describeAddress(dial.address),
    closed,
    close,
    async fetchDocument({ cacheTimeMs, includeDetails }) {
      const request = requestBytes({ request: { action: 'data', cacheTimeMs, includeDetails } })
      const bytes = await exchange(client, { request: replyMode === 'on request' ? request : undefined, action: 'data', deadlines })
      return readWrittenDocument(bytes, replyMode)
    },
    async ask(question) {
      refuseUnsupported(announced, question.action)
      const { action } = question
      const bytes = await exchange(client, { request: requestBytes({ request: question }), action, deadlines })
      return readReply(readItem(bytes), action)
    },
  }
}
