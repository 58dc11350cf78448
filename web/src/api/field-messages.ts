import { recordOf, textOf, type JsonRecord } from './json.ts'
import type * as RefusalWords from './refusal-words.ts'
import { messageOf, RequestFailed } from './request-failed.ts'

let refusalWords: typeof RefusalWords | undefined

/**
 * Resolves when the translations of refused requests are loaded, or cannot be loaded. The first pages need them only after a refusal, so
 * their file loads beside the form. Without it, the hub's English text is shown.
 */
export const refusalWordsLoaded: Promise<void> = import('./refusal-words.ts').then(
  (loaded) => void (refusalWords = loaded),
  () => undefined,
)

/** Returns the hub's errors by form field, also of nested forms, with messages in the language of the page. */
export const translatedErrorsOf = ({ fieldErrors }: RequestFailed): JsonRecord =>
  refusalWords === undefined ? fieldErrors : refusalWords.translatedErrors(fieldErrors)

/**
 * Returns an object from form field name to translated error message, for a failed request. The object is empty for an error that is not
 * about fields.
 */
export function fieldMessagesOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof RequestFailed)) return {}
  const fields = Object.entries(translatedErrorsOf(error)).flatMap(([field, problem]) => {
    const message = textOf(recordOf(problem)['message'])
    return message === undefined ? [] : [[field, message] as const]
  })
  return Object.fromEntries(fields)
}

/** Returns the message of a failed request in the language of the page; the hub's English text if no translation is known. */
export const failureText = (error: unknown): string => refusalWords?.translatedMessage(messageOf(error)) ?? messageOf(error)

/**
 * Returns the message of a failed request followed by its translated field errors, as one text. For places without form fields, such as
 * toasts.
 */
export function failureDetailOf(error: unknown): string {
  const fields = Object.entries(fieldMessagesOf(error)).map(([field, message]) => `${field}: ${message}`)
  return [failureText(error), ...fields].join(' ')
}
