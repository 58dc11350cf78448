import type { ClientResponseError } from 'pocketbase'
import * as words from '../words/messages.js'
import { recordOf } from './json.ts'
import { RequestFailed } from './request-failed.ts'

/**
 * Converts an error of the PocketBase SDK into a RequestFailed and resolves to it. Its message and field errors are those of the hub's
 * response, translated if a translation is known. Without a response, the message is a translated text such as "hub unreachable".
 */
export async function failureOf(error: ClientResponseError): Promise<RequestFailed> {
  const { status, response, originalError } = error
  if (originalError instanceof RequestFailed) return originalError
  if (status > 0) {
    const failure = new RequestFailed('refused', error.message, {
      status,
      fieldErrors: recordOf(response['data']),
      cause: error,
    })
    // Most visits see no refusal, so the translations load with the first one. Without them, the hub's English texts are shown.
    return import('./refusal-words.ts').then(
      (translations) => translations.translatedFailure(failure),
      () => failure,
    )
  }
  const isLate = originalError?.name === 'TimeoutError'
  const reason = error.isAbort ? 'aborted' : isLate ? 'timeout' : 'unreachable'
  // Nobody sees the message of a request that the page itself aborted.
  return new RequestFailed(reason, isLate ? words.request_timed_out() : words.request_unreachable(), { cause: error })
}
