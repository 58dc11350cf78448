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
