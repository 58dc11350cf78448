import type { ClientResponseError } from 'pocketbase'
import * as words from '../words/messages.js'
import { recordOf, textOf } from './json.ts'
import { RequestFailed } from './request-failed.ts'

/**
 * Converts an error of the PocketBase SDK into a RequestFailed and resolves to it. Its message and field errors are those of the hub's
 * response, translated if a translation is known. Without a response, the message is a translated text such as "hub unreachable".
 */
export async function failureOf(error: ClientResponseError): Promise<RequestFailed> {
  const { status, response, originalError } = error
  if (originalError instanceof RequestFailed) return originalError
  if (status > 0) {
    const { message, data } = recordOf(response)
    // Most visits see no refusal, so the translations load with the first one. Without them, the hub's English texts are shown.
    const translations = await import('./refusal-words.ts').catch(() => undefined)
    const [text, fieldErrors] = [textOf(message) ?? words.request_refused({ status }), recordOf(data)]
    return new RequestFailed('refused', translations?.translatedMessage(text) ?? text, {
      status,
      fieldErrors: translations?.translatedErrors(fieldErrors) ?? fieldErrors,
      cause: error,
    })
  }
  if (error.isAbort) return new RequestFailed('aborted', words.request_aborted(), { cause: error })
  const isLate = originalError instanceof Error && originalError.name === 'TimeoutError'
  return new RequestFailed(isLate ? 'timeout' : 'unreachable', isLate ? words.request_timed_out() : words.request_unreachable(), {
    cause: error,
  })
}
