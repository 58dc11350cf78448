import { recordOf, textOf } from './json.ts'
import { messageOf, RequestFailed } from './request-failed.ts'

/**
 * Returns an object from form field name to translated error message, for a failed request. The object is empty for an error that is not
 * about fields.
 */
export function fieldMessagesOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof RequestFailed)) return {}
  const fields = Object.entries(error.fieldErrors).flatMap(([field, problem]) => {
    const message = textOf(recordOf(problem)['message'])
    return message === undefined ? [] : [[field, message] as const]
  })
  return Object.fromEntries(fields)
}

/**
 * Returns the message of a failed request followed by its translated field errors, as one text. For places without form fields, such as
 * toasts.
 */
export function failureDetailOf(error: unknown): string {
  const fields = Object.entries(fieldMessagesOf(error)).map(([field, message]) => `${field}: ${message}`)
  return [messageOf(error), ...fields].join(' ')
}
