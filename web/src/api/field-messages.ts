import { ownValue } from '@vedette/protocol/own-value'
import * as words from '../words/messages.js'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { messageOf, RequestFailed } from './request-failed.ts'
import { readSources } from './system-tags.ts'
import { sourcesText } from './tag-words.ts'

/**
 * Parts of the hub's error about one form field: `params` are the limits and names that its text contains, `message` is the hub's English
 * text.
 */
type ErrorValues = { readonly params: JsonRecord; readonly message: string }

const text = (value: unknown): string => textOf(value) ?? ''
const number = (value: unknown): string => String(numberOf(value) ?? '')

/** Map from the code of the hub's error about a form field to a function that returns the translated text from the error's parameters. */
const texts: Readonly<Record<string, (values: ErrorValues) => string>> = {
  validation_required: () => words.problem_required(),
  validation_not_unique: () => words.problem_taken(),
  validation_max_text_constraint: ({ params }) => words.problem_most_characters({ max: number(params['max']) }),
  validation_length_too_long: ({ params }) => words.problem_most_entries({ max: number(params['max']) }),
  validation_missing_rel_records: () => words.problem_gone(),
  validation_invalid_tag: () => words.problem_tag_invalid(),
  validation_tag_kept: ({ params }) =>
    words.problem_tag_kept({ tag: text(params['tag']), sources: sourcesText({ sources: readSources(listOf(params['sources'])) }) }),
  validation_tag_grants: ({ params }) => words.problem_tag_grants({ tag: text(params['tag']) }),
  validation_invalid_filter: ({ message }) => words.problem_filter({ detail: message }),
}

/**
 * Returns the translated text of the hub's error about one form field. For an unknown error code it is the hub's own English message;
 * `undefined` without one.
 */
function fieldErrorText(error: unknown): string | undefined {
  const { code, message, params } = recordOf(error)
  const own = textOf(message)
  const translated = ownValue(texts, text(code))
  return translated === undefined ? own : translated({ params: recordOf(params), message: own ?? '' })
}

/**
 * Returns the translated error messages of a failed request by name of the form field; an empty object for an error that is not about
 * fields.
 */
export function fieldMessagesOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof RequestFailed)) return {}
  const fields = Object.entries(error.fieldErrors).flatMap(([field, problem]) => {
    const message = fieldErrorText(problem)
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
