import { ownValue } from '@vedette/protocol/own-value'
import { listOf, recordOf, type JsonRecord } from '../../api/json.ts'

/**
 * Description of one field of a settings form in the back-office (admin pages). `path` is the setting's place in the settings JSON, such as
 * `smtp.host`. A `secret` is never shown, and is sent only when something was typed.
 */
export type FormField = {
  readonly path: string
  readonly label: string
  readonly hint?: string
  readonly type: 'text' | 'number' | 'flag' | 'secret' | 'choice' | 'lines'
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** Function that converts the value of a list setting to the text of its multi-line field. Absent: one item per line. */
  readonly asText?: (list: unknown) => string
  /** Function that parses the text of a multi-line field into the list to save. Absent: each non-empty line is an item. */
  readonly asList?: (text: string) => readonly unknown[]
}

export type FormDraft = Readonly<Record<string, string | boolean>>

export function typedOf(fields: readonly FormField[], stored: unknown): FormDraft {
  return Object.fromEntries(fields.map((field) => [field.path, typedValue(field, valueAt(stored, field.path))]))
}

function typedValue({ type, asText = itemsText }: FormField, value: unknown): string | boolean {
  if (type === 'lines') return asText(value)
  if (type === 'flag') return value === true
  if (type === 'secret') return ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export const valueAt = (stored: unknown, path: string): unknown =>
  path.split('.').reduce((value: unknown, name) => ownValue(recordOf(value), name), stored)

/**
 * Returns the PATCH body for a settings form: the values of fields that differ between the forms `before` and `typed`, as JSON nested by
 * the fields' paths. An empty number becomes null.
 */
export function changeOf(fields: readonly FormField[], before: FormDraft, typed: FormDraft): JsonRecord {
  let change: JsonRecord = {}
  for (const { path, type, asList = itemsIn } of fields) {
    const value = ownValue(typed, path) ?? ''
    if (value === ownValue(before, path)) continue
    change = withValue(
      change,
      path.split('.'),
      type === 'number' ? numberOf(String(value)) : type === 'lines' ? asList(String(value)) : value,
    )
  }
  return change
}

const itemsText = (list: unknown): string => listOf(list).map(String).join('\n')

const itemsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * Returns the value to save for the text of a number field of a settings form: a number, or null for empty text. Text that is not a number
 * is returned as typed, so that the hub rejects it with a reason.
 */
function numberOf(text: string): unknown {
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

function withValue(object: JsonRecord, [name = '', ...rest]: readonly string[], value: unknown): JsonRecord {
  return { ...object, [name]: rest.length === 0 ? value : withValue(recordOf(ownValue(object, name)), rest, value) }
}
