import { ownValue } from '@vedette/protocol/own-value'
import * as words from '../words/messages.js'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { messageOf, RequestFailed } from './request-failed.ts'
import { readSources } from './system-tags.ts'
import { sourcesText } from './tag-words.ts'

/** Values of a field error that its text contains: the limits and names from the hub, and the hub's own message. */
type ErrorValues = { readonly params: JsonRecord; readonly message: string }

const text = (value: unknown): string => textOf(value) ?? ''
const number = (value: unknown): string => String(numberOf(value) ?? '')

/** Map from the code of a field error to the function that returns its translated text. */
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
 * Returns the text of a field error from the hub in the person's language. An error with an unknown code has the hub's own message, which
 * is English; `undefined` without one.
 */
function fieldErrorText(error: unknown): string | undefined {
  const { code, message, params } = recordOf(error)
  const own = textOf(message)
  const translated = ownValue(texts, text(code))
  return translated === undefined ? own : translated({ params: recordOf(params), message: own ?? '' })
}

/** Returns a map from field name to the translated message about it in a failed request; an empty object for other errors. */
export function fieldMessagesOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof RequestFailed)) return {}
  const fields = Object.entries(error.fieldErrors).flatMap(([field, problem]) => {
    const message = fieldErrorText(problem)
    return message === undefined ? [] : [[field, message] as const]
  })
  return Object.fromEntries(fields)
}

/**
 * Returns the message of a failed request followed by the translated messages about its fields, for places that have no form fields to show
 * them.
 */
export function failureDetailOf(error: unknown): string {
  const fields = Object.entries(fieldMessagesOf(error)).map(([field, message]) => `${field}: ${message}`)
  return [messageOf(error), ...fields].join(' ')
}
