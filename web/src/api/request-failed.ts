import * as words from '../words/messages.js'
import type { JsonRecord } from './json.ts'

/**
 * Why a request to the hub failed: `refused` by the hub, `unreachable`, `timeout`, aborted by the page, or a response that cannot be parsed
 * (`unreadable`).
 */
export type FailureReason = 'refused' | 'unreachable' | 'timeout' | 'aborted' | 'unreadable'

type FailureDetails = { readonly status?: number; readonly fieldErrors?: JsonRecord; readonly cause?: unknown }

/**
 * Error of a failed request to the hub, with a message in the language of the page; with the hub's English text if it has no translation.
 * `status` is the HTTP status (400 and above), or 0 without a readable response.
 */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly reason: FailureReason
  readonly status: number
  /**
   * Object from name of a form field to the hub's error about it (code, translated message and limits); empty for other errors.
   */
  readonly fieldErrors: JsonRecord

  constructor(reason: FailureReason, message: string, { status = 0, fieldErrors = {}, cause }: FailureDetails = {}) {
    super(message, { cause })
    this.reason = reason
    this.status = status
    this.fieldErrors = fieldErrors
  }

  /**
   * True when repeating the failed request may help: it got no readable response, status 429, or status 500 and above. False when the page
   * itself aborted the request.
   */
  get retryable(): boolean {
    return (this.status === 0 && this.reason !== 'aborted') || this.status === 429 || this.status >= 500
  }
}

/**
 * Returns a RequestFailed with the reason `unreadable`, for a response that cannot be parsed, because it is truncated or not from the hub.
 */
export const unreadable = (): RequestFailed => new RequestFailed('unreadable', words.request_unreadable())

/** Returns the message of a failed request or other error, in the language of the page if it has a translation. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
