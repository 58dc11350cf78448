import { withDeadline } from '../../platform/deadline.ts'

/** Why an agent did not answer; `retryable` when a second try at once may find it well. */
export type AgentFailure =
  | 'refused'
  | 'unreachable'
  | 'not authenticated'
  | 'another host key'
  | 'silent'
  | 'closed'
  | 'unreadable'
  | 'agent error'
  /** The agent is too old for what was asked. */
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

/** An answer of an agent, or "silent" after `ms`. */
export const answerWithin = <T>(ms: number, step: string, answer: Promise<T>): Promise<T> =>
  withDeadline(ms, answer, () => new AgentUnavailable('silent', `The agent did not ${step} within ${ms / 1000} s`))
