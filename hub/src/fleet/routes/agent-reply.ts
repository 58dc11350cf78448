import type { AgentResult } from '../fleet.ts'
import { RecordError } from '../../records/model/record-error.ts'

/** Waits for the result of a request to an agent and resolves to the agent's reply. Throws 500 with the reason when the request failed. */
export async function replyOf<T>(result: Promise<AgentResult<T>>): Promise<T> {
  const reply = await result
  if (!reply.ok) throw new RecordError(500, reply.reason)
  return reply.value
}

export const unexpectedReply = (): RecordError => new RecordError(500, 'The agent sent an unexpected response.')
