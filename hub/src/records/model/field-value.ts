import type { Json } from '@vedette/protocol/wire/stats-json'
import { holdsNul, isJsonObject, parseSentJson } from '../../platform/json.ts'
import { normalDate } from './stored-record.ts'
import { emptyValue, type Field } from './collection.ts'
import { normalTag } from './tag.ts'

/**
 * Converts a client's value to the type that a record field stores. A value that is no number, date or text, nor convertible to it, becomes
 * the empty value, as clients expect. Choices and JSON are kept for `checkField`, which may refuse them.
 */
export function castValue(field: Field, input: Json): Json {
  switch (field.kind) {
    case 'number':
      return asNumber(input)
    case 'flag':
      return yes.some((word) => word === input)
    case 'select':
      return lastOf(input)
    case 'relation':
      return castRelation(field, input)
    case 'labels':
      return [...new Set(textsOf(input).map(normalTag))].toSorted()
    case 'date':
      return typeof input === 'string' ? normalDate(input) : ''
    case 'json':
      return byKeys(typeof input === 'string' ? jsonOf(input) : input)
    case 'created':
    case 'updated':
      return emptyValue(field)
    default:
      return plainText(input)
  }
}

const yes: readonly Json[] = [true, 1, '1', 't', 'T', 'true', 'TRUE', 'True']

function lastOf(input: Json): string {
  return plainText(asList(input).at(-1) ?? '')
}

const castRelation = ({ many }: { readonly many?: true }, input: Json): Json => (many === true ? textsOf(input) : lastOf(input))

const textsOf = (input: Json): readonly string[] => [...new Set(asList(input).map(plainText))].filter((text) => text !== '')

/** Returns the text of a client's value for a text field: of a string, number or boolean; `''` for lists, objects and null. */
function plainText(input: Json): string {
  return typeof input === 'string' ? input : typeof input === 'number' || typeof input === 'boolean' ? String(input) : ''
}

function asNumber(input: Json): number {
  if (typeof input === 'boolean') return input ? 1 : 0
  const number = typeof input === 'number' ? input : typeof input === 'string' && input.trim() !== '' ? Number(input) : 0
  return Number.isFinite(number) ? number : 0
}

/**
 * Returns a client's JSON value as a list, for a list field. A text that is a JSON list is parsed; any other text, number or boolean
 * becomes a list of one. Null and objects give an empty list.
 */
function asList(input: Json): readonly Json[] {
  if (Array.isArray(input)) return input
  if (typeof input === 'string' && input.startsWith('[')) {
    const list = jsonOf(input)
    if (Array.isArray(list)) return list
  }
  return input === null || isJsonObject(input) ? [] : [input]
}

/** Returns a JSON value with the keys of all its objects sorted, so that equal objects have equal text. Clients expect this order. */
function byKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(byKeys)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [key, byKeys(inner)])
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Parses a client's text for a JSON field and returns the value. Returns the text unchanged if it is invalid JSON or contains U+0000. */
function jsonOf(text: string): Json {
  try {
    const value = parseSentJson(text)
    return holdsNul(value) ? text : value
  } catch {
    // Invalid JSON is not an error here: the text itself is the value.
    return text
  }
}
