import type { ClientResponseError } from 'pocketbase'
import * as words from '../words/messages.js'
import { recordOf, textOf } from './json.ts'
import { RequestFailed } from './request-failed.ts'

/**
 * Converts an error of the PocketBase SDK into a RequestFailed. Its message is that of the hub's response if there is one, else a
 * translated text such as "hub unreachable".
 */
export function failureOf(error: ClientResponseError): RequestFailed {
  const { status, response, originalError } = error
  if (originalError instanceof RequestFailed) return originalError
  if (status > 0) {
    const message = textOf(recordOf(response)['message']) ?? words.request_refused({ status })
    return new RequestFailed('refused', message, { status, fieldErrors: recordOf(recordOf(response)['data']), cause: error })
  }
  if (error.isAbort) return new RequestFailed('aborted', words.request_aborted(), { cause: error })
  const isLate = originalError instanceof Error && originalError.name === 'TimeoutError'
  return new RequestFailed(isLate ? 'timeout' : 'unreachable', isLate ? words.request_timed_out() : words.request_unreachable(), {
    cause: error,
  })
}
