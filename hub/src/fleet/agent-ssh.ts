import { describeAddress } from './agent-address.ts'
import type { AgentSession } from './agent-session.ts'
import { readItem, readReply, readWrittenDocument, requestBytes } from './exchange.ts'
import { generationOf, refuseUnknown } from './generation.ts'
import { replyDeadlinesMs } from './reply-deadline.ts'
import { dialSsh, type SshDial } from './ssh-dial.ts'
import { exchange } from './ssh-exchange.ts'

/** Connects to an agent over SSH: one TCP connection that is kept, one channel a request. */
export async function dialAgent(dial: SshDial): Promise<AgentSession> {
  const { client, announced, closed } = await dialSsh(dial)
  const generation = generationOf(announced)
  return {
    link: 'ssh',
    agentVersion: announced,
    peer: describeAddress(dial.address),
    closed,
    close: () => client.end(),
    async fetchDocument({ cacheTimeMs, includeDetails }) {
      const request = requestBytes({ request: { action: 'data', cacheTimeMs, includeDetails } })
      const bytes = await exchange(client, generation === 'asked' ? request : undefined, replyDeadlinesMs.data)
      return readWrittenDocument(bytes, generation)
    },
    async ask(question) {
      refuseUnknown(announced, question.action)
      const bytes = await exchange(client, requestBytes({ request: question }), replyDeadlinesMs[question.action])
      return readReply(readItem(bytes), question.action)
    },
  }
}
