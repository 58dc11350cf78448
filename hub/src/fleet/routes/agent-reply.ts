import type { AgentResult } from '../fleet.ts'
import { RecordError } from '../../records/model/record-error.ts'

/**
 * Awaits the result of a request to an agent, and resolves to the agent's reply if it is `ok`. Otherwise rejects with HTTP error 500, whose
 * message is the result's `reason`.
 */
export async function replyOf<T>(result: Promise<AgentResult<T>>): Promise<T> {
  const reply = await result
  if (!reply.ok) throw new RecordError(500, reply.reason)
  return reply.value
}

export const unexpectedReply = (): RecordError => new RecordError(500, 'The agent sent an unexpected response.')
