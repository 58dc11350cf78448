import type { AgentResult } from '../fleet.ts'
import { RecordError } from '../../records/model/record-error.ts'

/** Returns the agent's reply. Throws 500 with the agent's reason when the request failed. */
export async function replyOf<T>(result: Promise<AgentResult<T>>): Promise<T> {
  const reply = await result
  if (!reply.ok) throw new RecordError(500, reply.reason)
  return reply.value
}

export const unexpectedReply = (): RecordError => new RecordError(500, 'The agent sent an unexpected response.')
