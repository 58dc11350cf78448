import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Step } from './recorded-step.ts'

/**
 * What the early generation says, and how the same is said since: one hub answers clients of both, which show these texts and
 * decide by the status.
 */
const words: Readonly<Record<string, string>> = {
  'Only admins can perform this action.': 'Only superusers can perform this action.',
  'Only admins can filter by @request.': 'Only superusers can filter by @request.',
  'Not Found.': "The requested resource wasn't found.",
  'Missing required value.': 'Cannot be blank.',
  'The request requires valid record authorization token to be set.': 'The request requires valid record authorization token.',
  'An error occurred while validating the form.': 'An error occurred while validating the submitted data.',
  'Please verify your account first.': "The request doesn't satisfy the collection requirements to authenticate.",
  'The email is invalid or already in use.': 'Value must be unique.',
  validation_invalid_email: 'validation_not_unique',
  'The length must be between 8 and 72.': 'Must be at least 8 character(s).',
  'The length must be between 10 and 72.': 'Must be at least 8 character(s).',
}

/** Messages that the early generation leaves general where today's are particular. */
const general = ['Something went wrong while processing your request.', "The requested resource wasn't found."]

type Since = { readonly reason: string; readonly matches: RegExp }

/**
 * Requests that the two recorded generations answer in contrary ways. One hub cannot do both; it answers as the recordings of
 * today's do, against which the same requests are replayed. Matched as the exceptions are.
 */
const since: readonly Since[] = [
  {
    reason: 'who is signed in and no admin is told 403 since, and a guest that anybody must sign in',
    matches: /back-office: (guest|alice) GET/,
  },
  { reason: 'an admin’s token is of another collection since, which is 403', matches: /users: admin POST \S*auth-refresh/ },
  { reason: 'without a token the key is 401 since', matches: /0.2.0, .*: guest GET \/api\/beszel\/getkey/ },
  { reason: 'an admin gets the key since', matches: /0.2.0, .*: admin GET \/api\/beszel\/getkey/ },
  {
    reason: 'an address that is no API is the dashboard’s since',
    matches: /0.2.0, .*: \w+ GET \/api\/(none|beszel\/nope|collections\/users\/auth-refresh)/,
  },
  { reason: 'exists since', matches: /0.2.0, .*: \w+ \w+ \/api\/(beszel\/info|batch|crons|collections\/_superusers)/ },
  { reason: 'only admins are told of backups since', matches: /0.2.0, .*: \w+ GET \/api\/health\/?$/ },
  { reason: 'the early hub answered with a slash at the end, too', matches: /basics, .*: guest GET \/api\/health\/$/ },
  { reason: 'admins had addresses of their own in the early hub', matches: /auth, .*: \w+ \w+ (\/api\/admins|\S*external-auths)/ },
  { reason: 'a wrong type of body is named since', matches: /users: guest POST \S*auth-with-password x$/ },
  { reason: 'what concerns the account is checked first since', matches: /users: admin POST .*"username":"x"/ },
  { reason: 'what the rule forbids is told nothing of the fields since', matches: /systems: alice POST \S* \{\}$/ },
  { reason: 'a system need not have a port since, and its status is the hub’s', matches: /systems: alice POST .*("host":"h"|nonsense)/ },
  { reason: 'a page may have 1000 records since', matches: /0.2.0, systems: .*perPage=(501|1000)/ },
  {
    reason: 'a person has one alert of a name on a system since',
    matches: /alerts: alice (POST \S* \{"user":"usralice0000001","system":"sys000000000001","name":"CPU"|GET \S*fields=id%2Cname)/,
  },
  { reason: 'one alert is nobody’s to view by itself since', matches: /0.2.0, alerts: (alice|guest) GET \S*alr000000000003/ },
  { reason: 'measurements are seen by who sees their system since', matches: /system page: (bob|rita) GET/ },
  { reason: 'rules are stricter since', matches: /back-office: admin GET \/api\/collections/ },
]

/** Why today's generation answers in another way than the early one; undefined for all that both answer alike. */
export function answeredOtherwiseSince(line: string): string | undefined {
  return since.find(({ matches }) => matches.test(line))?.reason
}

/** A step of the early generation as it would have been recorded today, of the answer no more than what was recorded. */
export function inTodaysWords(step: Step, answered: Json): Step {
  const { body } = step.response
  return body === undefined ? step : { ...step, response: { ...step.response, body: merged(translated(body), answered) } }
}

function translated(value: Json): Json {
  if (typeof value === 'string') return words[value] ?? value
  if (Array.isArray(value)) return value.map(translated)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, translated(inner)]))
}

/** The recorded value, with what only the answer has beside it: clients take what they know. */
function merged(recorded: Json, answered: Json): Json {
  if (Array.isArray(recorded) && Array.isArray(answered)) return recorded.map((one: Json, at) => merged(one, answered[at] ?? null))
  if (!isObject(recorded) || !isObject(answered)) return recorded
  // A system that has said nothing yet has the keys of its generation.
  if ('mp' in recorded && recorded['v'] === '' && answered['v'] === '') return answered
  const both = Object.entries(recorded).map(([key, value]): [string, Json] => {
    const other = answered[key] ?? null
    const said = key === 'message' && typeof value === 'string' && general.includes(value) && typeof other === 'string' ? other : value
    // A length out of range is told since by which end it is out of.
    if (key === 'code' && value === 'validation_length_out_of_range' && other === 'validation_min_text_constraint') return [key, other]
    return [key, merged(said, other)]
  })
  return { ...answered, ...Object.fromEntries(both) }
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
