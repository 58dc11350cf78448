import type { ClientResponseError } from 'pocketbase'
import * as words from '../words/messages.js'
import { recordOf, textOf } from './json.ts'
import { RequestFailed } from './request-failed.ts'

/**
 * Converts an error of the PocketBase SDK into a RequestFailed. The message is the hub's own when the response has one, otherwise a
 * translated text for the reason.
 */
export function failureOf(error: ClientResponseError): RequestFailed {
  const { status, response, originalError } = error
  if (originalError instanceof RequestFailed) return originalError
  if (status > 0) {
    const message = textOf(recordOf(response)['message']) ?? words.request_refused({ status })
    return new RequestFailed('refused', message, { status, fieldMessages: fieldMessagesOf(response), cause: error })
  }
  if (error.isAbort) return new RequestFailed('aborted', words.request_aborted(), { cause: error })
  const isLate = originalError instanceof Error && originalError.name === 'TimeoutError'
  return new RequestFailed(isLate ? 'timeout' : 'unreachable', isLate ? words.request_timed_out() : words.request_unreachable(), {
    cause: error,
  })
}

/** Returns a map from field name to the hub's validation message for a rejected request body; empty if the response has none. */
function fieldMessagesOf(response: unknown): Readonly<Record<string, string>> {
  const fields = Object.entries(recordOf(recordOf(response)['data'])).flatMap(([field, problem]) => {
    const message = textOf(recordOf(problem)['message'])
    return message === undefined ? [] : [[field, message] as const]
  })
  return Object.fromEntries(fields)
}
