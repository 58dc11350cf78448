import * as words from '../words/messages.js'

/**
 * Name of the reason of a failed request: rejected by the hub, hub unreachable, timeout, aborted by the caller, or a response that cannot
 * be parsed.
 */
export type FailureReason = 'refused' | 'unreachable' | 'timeout' | 'aborted' | 'unreadable'

type FailureDetails = { readonly status?: number; readonly fieldMessages?: Readonly<Record<string, string>>; readonly cause?: unknown }

/**
 * Error of a failed request; its message is translated for display. `status` is the HTTP status, 400 and above, or 0 without a response.
 */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly reason: FailureReason
  readonly status: number
  /** Map from form field name to the hub's validation message, which is shown beside that field. */
  readonly fieldMessages: Readonly<Record<string, string>>

  constructor(reason: FailureReason, message: string, { status = 0, fieldMessages = {}, cause }: FailureDetails = {}) {
    super(message, { cause })
    this.reason = reason
    this.status = status
    this.fieldMessages = fieldMessages
  }

  /** True when a retry may help: no response and not aborted, status 429, or status 500 and above. */
  get retryable(): boolean {
    return (this.status === 0 && this.reason !== 'aborted') || this.status === 429 || this.status >= 500
  }
}

/** Creates the RequestFailed for a response that is truncated or not from the hub. */
export const unreadable = (): RequestFailed => new RequestFailed('unreadable', words.request_unreadable())

/**
 * Returns the message of a failed request followed by the validation messages of its fields, for places that have no form fields to show
 * them.
 */
export function failureDetailOf(error: unknown): string {
  if (!(error instanceof RequestFailed)) return messageOf(error)
  const fields = Object.entries(error.fieldMessages).map(([field, message]) => `${field}: ${message}`)
  return [error.message, ...fields].join(' ')
}

/** Returns a map from field name to the hub's validation message in an error; an empty object for other errors. */
export const fieldMessagesOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof RequestFailed ? error.fieldMessages : {}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
