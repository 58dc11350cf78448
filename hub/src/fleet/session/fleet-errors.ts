import { withDeadline } from '../../platform/deadline.ts'

/**
 * Reason why a request to an agent failed, such as `unreachable`, `silent` (timeout) or `unsupported` (agent too old). A poll is tried
 * again only after failures that are in the set `retryable`.
 */
export type AgentFailure =
  | 'refused'
  | 'unreachable'
  | 'not authenticated'
  | 'another host key'
  | 'another machine'
  | 'silent'
  | 'closed'
  | 'unreadable'
  | 'agent error'
  // The agent is too old for the request.
  | 'unsupported'

const retryable: ReadonlySet<AgentFailure> = new Set(['refused', 'unreachable', 'silent', 'closed', 'unreadable'])

export class AgentUnavailable extends Error {
  override readonly name = 'AgentUnavailable'
  readonly failure: AgentFailure
  constructor(failure: AgentFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }

  get retryable(): boolean {
    return retryable.has(this.failure)
  }
}

/**
 * Resolves to the value of the promise `answer` if it settles within `ms`, otherwise rejects with AgentUnavailable ("silent"). `step`
 * completes the error sentence "The agent did not … within 5 s", such as `open a channel`.
 */
export const answerWithin = <T>(ms: number, step: string, answer: Promise<T>): Promise<T> =>
  withDeadline(ms, answer, () => new AgentUnavailable('silent', `The agent did not ${step} within ${ms / 1000} s`))
