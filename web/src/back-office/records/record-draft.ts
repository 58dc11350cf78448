import { ownValue, setOwnValue } from '@vedette/protocol/own-value'
import type { JsonRecord } from '../../api/json.ts'
import { idsOf } from '../../api/client.ts'
import { tagProblem, tagsIn } from '../../format/tag-text.ts'
import { chooseTags, noTagChoice, type TagChoice } from '../../ui/tag-choice.ts'
import type { FieldModel } from './collections.ts'

/** Form values of a record by field name: text as typed, boolean, list of record ids, or chosen tags. */
export type RecordDraft = Readonly<Record<string, string | boolean | readonly string[] | TagChoice>>

/**
 * Returns the initial form values of a record as an object from field name to value, for the given fields. The values are empty without a
 * record (for a new one).
 */
export function draftOf(fields: readonly FieldModel[], record: JsonRecord = {}): RecordDraft {
  return Object.fromEntries(fields.map((field) => [field.name, typed(field, ownValue(record, field.name))]))
}

function typed({ type }: FieldModel, value: unknown): RecordDraft[string] {
  if (type === 'bool') return value === true
  if (type === 'relation') return idsOf(value)
  if (type === 'labels') return { tags: idsOf(value), typed: '' }
  if (type === 'json') return value === undefined || value === null ? '' : JSON.stringify(value, undefined, 2)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Name of the problem by which a typed form value cannot be sent: invalid JSON, number or tag. */
export type DraftProblem = 'no JSON' | 'no number' | 'no tag'

export type Patch =
  | { readonly ok: true; readonly values: JsonRecord }
  | { readonly ok: false; readonly errors: Readonly<Record<string, DraftProblem>> }

/**
 * Compares a record's form `draft` with its initial values `before`. With `ok: true` the result has `values`, the PATCH body with the
 * changed fields. With `ok: false` it has `errors`, by field name, for invalid JSON, numbers and tags. An empty number becomes null.
 */
export function patchOf(fields: readonly FieldModel[], before: RecordDraft, draft: RecordDraft): Patch {
  const values: { [field: string]: unknown } = {}
  const errors: { [field: string]: DraftProblem } = {}
  for (const field of fields) {
    const typedValue = ownValue(draft, field.name) ?? ''
    if (JSON.stringify(typedValue) === JSON.stringify(ownValue(before, field.name))) continue
    const sent = sentValue(field, typedValue)
    if ('wrong' in sent) setOwnValue(errors, field.name, sent.wrong)
    else setOwnValue(values, field.name, sent.value)
    if (field.type === 'password') values['passwordConfirm'] = typedValue
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, values }
}

/** Returns a form value that is a text; an empty string for a value of any other type. */
export const typedText = (value: RecordDraft[string]): string => (typeof value === 'string' ? value : '')

/** Returns a form value that is a choice of tags; an empty choice for a value of any other type. */
export const tagChoiceOf = (value: RecordDraft[string]): TagChoice => (typeof value === 'object' && 'typed' in value ? value : noTagChoice)

type SentValue = { readonly value: unknown } | { readonly wrong: DraftProblem }

function sentValue({ type, most }: FieldModel, typedValue: RecordDraft[string]): SentValue {
  switch (type) {
    case 'json':
      return parsedJson(typedText(typedValue))
    case 'number':
      if (typedValue === '') return { value: null }
      return Number.isFinite(Number(typedValue)) ? { value: Number(typedValue) } : { wrong: 'no number' }
    case 'labels': {
      const choice = tagChoiceOf(typedValue)
      const isValid = tagsIn(choice.typed).every((tag) => tagProblem(tag) === undefined)
      return isValid ? { value: chooseTags(choice, choice.typed).tags } : { wrong: 'no tag' }
    }
    case 'relation':
      return { value: most > 1 ? typedValue : (idsOf(typedValue)[0] ?? '') }
    default:
      return { value: typedValue }
  }
}

function parsedJson(text: string): SentValue {
  if (text.trim() === '') return { value: null }
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch {
    return { wrong: 'no JSON' }
  }
}
