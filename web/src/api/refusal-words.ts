import { ownValue } from '@vedette/protocol/own-value'
import * as words from '../words/messages.js'
import { getLocale } from '../words/runtime.js'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { RequestFailed } from './request-failed.ts'
import { readSources } from './system-tags.ts'
import { sourcesText } from './tag-words.ts'

/**
 * Parts of the hub's error about one form field: `params` are the limits and names that its text contains, `message` is the hub's English
 * text.
 */
type ErrorValues = { readonly params: JsonRecord; readonly message: string }
type Texts = Readonly<Record<string, (values: ErrorValues) => string>>

const text = (value: unknown): string => textOf(value) ?? ''

/**
 * Returns a limit, such as the maximum length 500, of a field error as text, for its translation. It is the first number among the
 * parameters `names`, else the number at index `place` in the hub's English text; else empty.
 */
const limit = ({ params, message }: ErrorValues, names: readonly string[], place = 0): string =>
  String(names.map((name) => numberOf(ownValue(params, name))).find((value) => value !== undefined) ?? message.match(/\d+/g)?.[place] ?? '')

const WHOLE_NUMBER = /^Must be a whole number from (\d+) to (\d+)\.$/
const FIELD_VALUE = /^The value of "(.*)" does not fit the field\.$/s

/**
 * Map from the hub's English text about an invalid form value to a function that returns its translation. Texts without an entry are shown
 * in English.
 */
const valueTexts: Readonly<Record<string, () => string>> = {
  'There must be a way to sign in.': words.problem_no_way,
  'Must not contain control characters.': words.problem_control_characters,
}

/** List of the hub's English texts about an invalid form value that this page translates. A test finds each in the hub's sources. */
export const translatedValueTexts: readonly string[] = Object.keys(valueTexts)

function valueText(message: string): string {
  const [, min, max] = WHOLE_NUMBER.exec(message) ?? []
  if (min !== undefined && max !== undefined) return words.problem_range({ min, max })
  const field = FIELD_VALUE.exec(message)?.[1]
  return field === undefined ? (ownValue(valueTexts, message)?.() ?? message) : words.problem_field_value({ field })
}

/**
 * Map from the hub's code of an error about a form field, such as `validation_required`, to a function. It takes the error's parameters and
 * returns its text. These texts replace the hub's in every language, English included.
 */
const texts: Texts = {
  validation_required: () => words.problem_required(),
  validation_not_unique: () => words.problem_taken(),
  validation_max_text_constraint: (values) => words.problem_most_characters({ max: limit(values, ['max']) }),
  validation_missing_rel_records: () => words.problem_gone(),
  validation_invalid_tag: () => words.problem_tag_invalid(),
  validation_tag_kept: ({ params }) =>
    words.problem_tag_kept({ tag: text(params['tag']), sources: sourcesText({ sources: readSources(listOf(params['sources'])) }) }),
  validation_tag_grants: ({ params }) => words.problem_tag_grants({ tag: text(params['tag']) }),
  validation_invalid_filter: ({ message }) => words.problem_filter({ detail: message }),
  validation_length_too_long: (values) => words.problem_most_entries({ max: limit(values, ['max']) }),
  validation_length_out_of_range: (values) =>
    limit(values, ['max'], 1) === ''
      ? words.problem_least_characters({ min: limit(values, ['min']) })
      : words.problem_length({ min: limit(values, ['min']), max: limit(values, ['max'], 1) }),
  validation_min_text_constraint: (values) => words.problem_least_characters({ min: limit(values, ['min']) }),
  validation_min_number_constraint: (values) => words.problem_least({ min: limit(values, ['min', 'threshold']) }),
  validation_min_greater_equal_than_required: (values) => words.problem_least({ min: limit(values, ['min', 'threshold']) }),
  validation_max_number_constraint: (values) => words.problem_most({ max: limit(values, ['max', 'threshold']) }),
  validation_max_less_equal_than_required: (values) => words.problem_most({ max: limit(values, ['max', 'threshold']) }),
  validation_only_int_constraint: () => words.problem_whole(),
  validation_is_email: () => words.problem_not_an_email(),
  validation_in_invalid: () => words.problem_choice(),
  // Only for a new email address that is the account's own one.
  validation_not_in_invalid: () => words.problem_new_email(),
  validation_values_mismatch: () => words.problem_mismatch(),
  validation_invalid_password: () => words.problem_password(),
  validation_invalid_old_password: () => words.problem_password(),
  validation_invalid_code: () => words.problem_code(),
  validation_invalid_setup_code: () => words.problem_setup_code(),
  validation_existing_token_email: () => words.problem_taken(),
}

/**
 * Map from the hub's code of an error about a form field to a function that returns the translated text. It has codes whose English text
 * from the hub says more than the code, such as `validation_invalid_value`. English pages show the hub's text instead.
 */
const shortTexts: Texts = {
  validation_invalid_value: ({ message }) => valueText(message),
  validation_invalid_values: ({ message }) => valueText(message),
  validation_invalid_format: () => words.problem_format(),
  validation_match_invalid: () => words.problem_format(),
  validation_is_url: ({ message }) =>
    message.startsWith('Must be an https address') ? words.problem_https_address() : words.problem_web_address(),
  validation_is_host: () => words.problem_host(),
  validation_invalid_subnet: () => words.problem_subnet(),
  validation_invalid_cron: () => words.problem_cron(),
  validation_invalid_links: () => words.problem_links(),
  validation_invalid_provider: () => words.problem_provider(),
  validation_invalid_new_email: () => words.problem_new_email(),
  validation_invalid_token: () => words.problem_link(),
  validation_invalid_token_claims: () => words.problem_link(),
  validation_invalid_token_payload: () => words.problem_link(),
  validation_token_collection_mismatch: () => words.problem_link(),
  validation_too_many: (values) => words.problem_too_many({ max: limit(values, ['max']) }),
  validation_json_size_limit: (values) => words.problem_bytes({ max: limit(values, ['maxSize']) }),
  validation_mfa_without_mail: () => words.problem_without_mail(),
  validation_mfa_not_enough_methods: () => words.problem_two_ways(),
  validation_own_factor_missing: () => words.problem_own_factor(),
  validation_last_admin: () => words.problem_last_admin(),
  validation_kind_fixed: () => words.problem_kind_fixed(),
  validation_one_holder: () => words.problem_one_holder(),
  validation_not_supported: () => words.problem_not_supported(),
  validation_not_allowed: () => words.problem_not_allowed(),
  validation_pk_change: () => words.problem_id_fixed(),
  validation_conflicting_rate_limit_rule: () => words.problem_rate_rule(),
  validation_backup_name_exists: () => words.problem_backup_name(),
}

/**
 * List of the hub's codes of errors about form fields that this page translates, such as `validation_required`. A test compares it with the
 * hub's sources.
 */
export const translatedCodes: readonly string[] = [...Object.keys(texts), ...Object.keys(shortTexts)]

/**
 * Map from the hub's English message of a refused request to the function that returns its translation. These messages have no codes. A
 * test finds each in the sources of the hub.
 */
const messages: Readonly<Record<string, () => string>> = {
  'An error occurred while loading the submitted data.': words.refused_not_saved,
  'An error occurred while saving the new settings.': words.refused_not_saved,
  'An error occurred while validating the submitted data.': words.refused_not_saved,
  'Failed to create record.': words.refused_not_saved,
  'Failed to create the API key.': words.refused_not_saved,
  'Failed to save the field.': words.refused_not_saved,
  'Failed to save the retention.': words.refused_not_saved,
  'Failed to save the view.': words.refused_not_saved,
  'Failed to update collection.': words.refused_not_saved,
  'Failed to update record.': words.refused_not_saved,
  'Failed to delete record. Make sure that the record is not part of a required relation reference.': words.refused_not_deleted,
  "You can't delete the only existing admin.": words.problem_last_admin,
  'Failed to authenticate.': words.refused_sign_in,
  'Checking the password took too long. Try again in a moment.': words.refused_later,
  'The database of this hub does not answer. Try again in a moment.': words.refused_database,
  'The disk of this hub is full: nothing can be saved until there is room again.': words.refused_disk_full,
  'Answering this took too long. Ask for less.': words.refused_too_much,
  'Give your password to confirm it is you.': words.refused_confirm,
  'The code is wrong or was used already.': words.problem_code,
  'The set-up code is wrong. The hub printed it when it started.': words.problem_setup_code,
  'The passkey was not accepted. Try again.': words.refused_passkey,
  'The link is not valid, or has expired.': words.problem_link,
  'The alert is over.': words.refused_alert_over,
  'This hub requires a second factor. Add another one before you remove the last one.': words.refused_last_factor,
  'This account has an authenticator app. Turn it off first.': words.refused_app_on,
  'This deletion cannot be undone: it is over a day old, or it was undone.': words.refused_undo,
  'The time zone of your quiet hours was changed elsewhere. Check it and try again.': words.refused_quiet_zone,
  'This agent is being rebuilt. Try again in a moment.': words.refused_agent_build,
  'This hub sends no mail that could confirm the new address; an admin can change it.': words.refused_no_mail,
  'Passkeys need HTTPS.': words.refused_passkeys_https,
  'Passkeys need a host name. Open the hub by its name, not by its IP address.': words.refused_passkeys_name,
  "The requested resource wasn't found.": words.refused_missing,
  'Only superusers can perform this action.': words.refused_rights,
  'The authorized record is not allowed to perform this action.': words.refused_rights,
  'The request requires valid record authorization token.': words.refused_session,
}

/** List of the hub's English messages of refused requests that this page translates. A test finds each in the hub's sources. */
export const translatedMessages: readonly string[] = Object.keys(messages)

const isEnglish = (): boolean => getLocale() === 'en'

/** Returns the message of a refused request in the language of the page; the hub's English text if no translation is known. */
export const translatedMessage = (message: string): string => (isEnglish() ? message : (ownValue(messages, message)?.() ?? message))

/**
 * Returns the errors of a refused request by form field, with messages in the language of the page. Errors of nested forms are translated
 * too. An unknown code keeps the hub's English text.
 */
export function translatedErrors(errors: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(errors).map(([field, error]) => {
      const { code, message, params } = recordOf(error)
      if (textOf(code) === undefined) return [field, Object.keys(recordOf(error)).length > 0 ? translatedErrors(recordOf(error)) : error]
      const own = textOf(message) ?? ''
      const translate = ownValue(texts, text(code)) ?? (isEnglish() ? undefined : ownValue(shortTexts, text(code)))
      return [
        field,
        translate === undefined ? error : { ...recordOf(error), message: translate({ params: recordOf(params), message: own }) },
      ]
    }),
  )
}

/**
 * Message, `Something went wrong.`, that the PocketBase SDK gives to an error response without a message, such as that of a proxy. It is
 * replaced by a translated text with the HTTP status.
 */
const WITHOUT_MESSAGE = 'Something went wrong.'

/** Returns a copy of the error of a refused request, with the message and the field errors in the language of the page. */
export const translatedFailure = ({ message, reason, status, fieldErrors, cause }: RequestFailed): RequestFailed =>
  new RequestFailed(reason, message === WITHOUT_MESSAGE ? words.request_refused({ status }) : translatedMessage(message), {
    status,
    fieldErrors: translatedErrors(fieldErrors),
    cause,
  })
