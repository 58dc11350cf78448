import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Step } from './recorded-step.ts'

/**
 * Messages of the early generation, with the current ones: one hub serves clients of both, which show these texts and
 * decide by the status.
 */
const words: Readonly<Record<string, string>> = {
  'Only admins can perform this action.': 'Only superusers can perform this action.',
  'Only admins can filter by @request.': 'Only superusers can filter by @request.',
  'Not Found.': "The requested resource wasn't found.",
  'Missing required value.': 'Cannot be blank.',
  'The request requires valid admin authorization token to be set.': 'The request requires valid record authorization token.',
  'The request requires valid record authorization token to be set.': 'The request requires valid record authorization token.',
  'An error occurred while validating the form.': 'An error occurred while validating the submitted data.',
  'Please verify your account first.': "The request doesn't satisfy the collection requirements to authenticate.",
  'The email is invalid or already in use.': 'Value must be unique.',
  validation_invalid_email: 'validation_not_unique',
  'The length must be between 8 and 72.': 'Must be at least 8 character(s).',
  'The length must be between 10 and 72.': 'Must be at least 8 character(s).',
  'The length must be between 3 and 150.': 'Must be at least 3 character(s).',
}

/** Messages that the early generation leaves general where today's are particular. */
const general = ['Something went wrong while processing your request.', "The requested resource wasn't found."]

/** A step of the early generation with the current messages, plus the keys that only our response has. */
export function inTodaysWords(step: Step, answered: Json): Step {
  const { body } = step.response
  return body === undefined ? step : { ...step, response: { ...step.response, body: merged(body, answered) } }
}

/** The recorded value, plus the keys that only our response has: clients ignore unknown keys. */
function merged(recorded: Json, answered: Json): Json {
  if (typeof recorded === 'string') return recorded === answered ? recorded : (words[recorded] ?? recorded)
  if (Array.isArray(recorded) && Array.isArray(answered)) return recorded.map((one: Json, at) => merged(one, answered[at] ?? null))
  if (!isObject(recorded) || !isObject(answered)) return recorded
  // A system that has said nothing yet has the keys of its generation.
  if ('mp' in recorded && recorded['v'] === '' && answered['v'] === '') return answered
  const both = Object.entries(recorded).map(([key, value]): [string, Json] => {
    const other = answered[key] ?? null
    const said = key === 'message' && typeof value === 'string' && general.includes(value) && typeof other === 'string' ? other : value
    // The current code for a length out of range names the exceeded limit.
    if (key === 'code' && value === 'validation_length_out_of_range' && other === 'validation_min_text_constraint') return [key, other]
    return [key, merged(said, other)]
  })
  return { ...answered, ...Object.fromEntries(both) }
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
