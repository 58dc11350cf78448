import type { Json } from '@vedette/protocol/wire/stats-json'
import { isAdmin, type Actor, type StoredRecord } from '../model/stored-record.ts'
import { emptyValue, type Collection, type Field } from '../model/collection.ts'
import { isJsonObject } from '../../platform/json.ts'
import { RecordError } from '../model/record-error.ts'

/** Record in an API response: a map from field name to value, without the fields that the user may not see. */
export type PublicRecord = { readonly [field: string]: Json }

/**
 * Converts a record for an API response to a user (`actor`). Left out: hidden fields, empty `sparse` fields, and an email address unless it
 * is visible, the user's own, or the user is an admin.
 */
export function presentRecord(collection: Collection, record: StoredRecord, actor: Actor): PublicRecord {
  const shown: { [field: string]: Json } = { collectionId: collection.id, collectionName: collection.name, id: record.id }
  for (const field of collection.fields) {
    if (shows(field, record, actor)) shown[field.name] = record[field.name] ?? null
  }
  return shown
}

function shows(field: Field, record: StoredRecord, actor: Actor): boolean {
  if (field.hidden === true) return false
  if (field.sparse === true && isEmptyOf(field, record[field.name])) return false
  return field.kind !== 'email' || record['emailVisibility'] === true || actor?.id === record.id || isAdmin(actor)
}

function isEmptyOf(field: Field, value: Json | undefined): boolean {
  return field.kind === 'labels' ? !Array.isArray(value) || value.length === 0 : value === emptyValue(field)
}

type PickedField = { readonly path: readonly string[]; readonly shorten?: (text: string) => string }

/** Thrown for an invalid query parameter `fields`. The request succeeds all the same, but its response has no body, as clients expect. */
export class MalformedFieldsError extends RecordError {
  constructor() {
    super(400)
  }
}

/**
 * Parses the query parameter `fields`, such as `id,name:excerpt(200)`. Returns a function that copies a JSON value with only these fields,
 * or returns it unchanged without fields. Throws {@link MalformedFieldsError} for a modifier other than `excerpt` with a length of at least
 * 1.
 */
export function fieldPicker(text: string): (value: Json) => Json {
  const picked = splitOutsideParentheses(text)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(parsePath)
  return picked.length === 0 ? (value) => value : (value) => pick(value, picked)
}

function splitOutsideParentheses(text: string): readonly string[] {
  return text.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? []
}

function parsePath(text: string): PickedField {
  const [name = '', ...modifiers] = text.split(':')
  // A single dot at the end is ignored. Any other empty part is a name that no record has.
  const path = name.replace(/(?<=.)\.$/, '').split('.')
  if (modifiers.length === 0) return { path }
  const [, max, ellipsis = ''] = /^excerpt\(\s*(\d+)\s*(?:,([^,()]*))?\)$/.exec(modifiers.join(':')) ?? []
  if (max === undefined || Number(max) === 0) throw new MalformedFieldsError()
  return { path, shorten: (value) => excerpt(value, Number(max), TRUE.test(ellipsis)) }
}

/**
 * Regular expression for texts that count as true in the query parameter `fields`, as in Go's `strconv.ParseBool`. Any other text counts as
 * false.
 */
const TRUE = /^\s*(?:1|t|T|TRUE|true|True)\s*$/

function pick(value: Json, picked: readonly PickedField[]): Json {
  if (Array.isArray(value)) return value.map((one: Json) => (isJsonObject(one) ? pick(one, picked) : one))
  if (!isJsonObject(value)) return value
  const everything = picked.some(({ path }) => path.length === 1 && path[0] === '*')
  const entries = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
    const here = picked.filter(({ path }) => path[0] === key)
    const whole = here.find(({ path }) => path.length === 1)
    if (whole !== undefined) return [[key, whole.shorten !== undefined && typeof inner === 'string' ? whole.shorten(inner) : inner]]
    if (here.length > 0) return [[key, pickBelow(inner, here)]]
    return everything ? [[key, inner]] : []
  })
  return Object.fromEntries(entries)
}

/**
 * Copies a field's value with only those parts that the query parameter `fields` names below the field, such as `cpu` in `info.cpu`. A list
 * of plain values is returned whole.
 */
function pickBelow(value: Json, picked: readonly PickedField[]): Json {
  const below = picked.map(({ path, ...rest }) => ({ ...rest, path: path.slice(1) }))
  const plainList = Array.isArray(value) && !value.some((one: Json) => isJsonObject(one))
  return plainList ? value : pick(value, below)
}

/** Returns a text of a record without HTML tags, cut to `max` characters. With `ellipsis`, `...` follows a text that was cut. */
function excerpt(text: string, max: number, ellipsis: boolean): string {
  const plain = text
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = Array.from(plain)
  if (characters.length <= max) return plain
  return characters.slice(0, max).join('').trimEnd() + (ellipsis ? '...' : '')
}
