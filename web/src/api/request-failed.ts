import * as words from '../words/messages.js'

/**
 * Why a request failed: the hub refused it, nothing was reached, the deadline passed, the caller gave it up, or the response is not
 * what was asked for.
 */
export type FailureReason = 'refused' | 'unreachable' | 'timeout' | 'aborted' | 'unreadable'

type FailureDetails = { readonly status?: number; readonly fieldMessages?: Readonly<Record<string, string>>; readonly cause?: unknown }

/** A request that failed. The message is ready to be shown. `status`: the hub's HTTP status, 400 and above; 0 without a response. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly reason: FailureReason
  readonly status: number
  /** Messages by field name, for a form to show beside its fields. */
  readonly fieldMessages: Readonly<Record<string, string>>

  constructor(reason: FailureReason, message: string, { status = 0, fieldMessages = {}, cause }: FailureDetails = {}) {
    super(message, { cause })
    this.reason = reason
    this.status = status
    this.fieldMessages = fieldMessages
  }

  /** Whether a retry may help: nothing was reached, the hub is busy, or the hub itself failed. */
  get retryable(): boolean {
    return (this.status === 0 && this.reason !== 'aborted') || this.status === 429 || this.status >= 500
  }
}

/** A response that is cut short, or is not the hub's. */
export const unreadable = (): RequestFailed => new RequestFailed('unreadable', words.request_unreadable())

/** The message with what the hub said of single fields: for where there are no fields to say it beside. */
export function detailOf(error: unknown): string {
  if (!(error instanceof RequestFailed)) return messageOf(error)
  const fields = Object.entries(error.fieldMessages).map(([field, message]) => `${field}: ${message}`)
  return [error.message, ...fields].join(' ')
}

/** The hub's messages about single fields, by field name. */
export const fieldMessagesOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof RequestFailed ? error.fieldMessages : {}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
