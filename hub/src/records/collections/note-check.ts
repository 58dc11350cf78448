import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { ownValue } from '@vedette/protocol/own-value'
import { isJsonObject } from '../../platform/json.ts'
import type { HookContext, SentWrite } from '../model/collection.ts'
import { castValue } from '../model/field-value.ts'
import type { FieldError, FieldErrors } from '../model/record-error.ts'
import { textOf, type StoredRecord } from '../model/stored-record.ts'
import type { DefinedKind } from './system-fields.ts'

const MOST_LINKS = 20
const LONGEST_NAME = 80
const LONGEST_URL = 2000
const LONGEST_VALUE = 500

/**
 * Checks a write of the collection `system_notes`, and resolves to errors by field (`links`, `values`); `{}` if it is valid. Values that
 * are stored already are accepted, even if an admin has deleted their field.
 */
export async function noteErrors({ body, previous }: SentWrite, { store, unit }: HookContext): Promise<FieldErrors> {
  const [links, values] = [sentJson(body, 'links'), sentJson(body, 'values')]
  const linkError = links === undefined ? undefined : linksProblem(links)
  const defined = values === undefined ? [] : await store.loadWhere('system_fields', {}, unit)
  const valueError = values === undefined ? undefined : valuesProblem(values, previous?.['values'] ?? null, defined)
  return { ...(linkError !== undefined && { links: linkError }), ...(valueError !== undefined && { values: valueError }) }
}

function sentJson(body: JsonObject, name: 'links' | 'values'): Json | undefined {
  const sent = ownValue(body, name)
  return sent === undefined ? undefined : castValue({ kind: 'json', name, maxBytes: 0 }, sent)
}

/**
 * Checks the list of links in a system's notes: at most 20, each with only `name` and `url`. Null is valid. Returns the error of the field
 * `links`, or `undefined` if it is valid.
 */
export function linksProblem(links: Json): FieldError | undefined {
  if (links === null) return undefined
  if (!Array.isArray(links) || !links.every(isLink)) {
    const message = 'Must be a list of links: each has a name of at most 80 characters and an address with http:// or https://.'
    return { code: 'validation_invalid_links', message }
  }
  return links.length > MOST_LINKS
    ? { code: 'validation_length_too_long', message: `The length must be no more than ${MOST_LINKS}.`, params: { max: MOST_LINKS, min: 0 } }
    : undefined
}

function isLink(link: Json): boolean {
  if (!isJsonObject(link) || Object.keys(link).some((key) => key !== 'name' && key !== 'url')) return false
  const [name = '', url] = [ownValue(link, 'name'), ownValue(link, 'url')]
  return typeof name === 'string' && Array.from(name).length <= LONGEST_NAME && typeof url === 'string' && isWebAddress(url)
}

/**
 * Returns true for a URL of at most 2,000 characters with http or https, which a page may open. Other schemes, such as `javascript:`, would
 * run code as the reader.
 */
function isWebAddress(url: string): boolean {
  if (url.length > LONGEST_URL || !/^https?:\/\//i.test(url)) return false
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.protocol === 'http:' || parsed.protocol === 'https:')
}

/**
 * Checks the values of admin-defined fields in a system's notes, an object from field id to value. Returns the error of `values`, or
 * `undefined` if valid. `known` has the stored values, which are accepted; `defined` has the records of `system_fields`.
 */
export function valuesProblem(values: Json, known: Json, defined: readonly StoredRecord[]): FieldError | undefined {
  if (values === null) return undefined
  const invalid = (message: string): FieldError => ({ code: 'validation_invalid_values', message })
  if (!isJsonObject(values)) return invalid('Must be an object of values by the id of their field.')
  for (const [id, value] of Object.entries(values)) {
    if (isJsonObject(known) && ownValue(known, id) === value) continue
    const field = defined.find((one) => one.id === id)
    if (field === undefined) return invalid('There is no field with this id.')
    if (!fits(textOf(field, 'kind') as DefinedKind, value))
      return invalid(`The value of "${textOf(field, 'name')}" does not fit the field.`)
  }
  return undefined
}

function fits(kind: DefinedKind, value: Json): boolean {
  if (kind === 'number' || kind === 'price') return typeof value === 'number' && Number.isFinite(value)
  if (typeof value !== 'string' || value === '' || Array.from(value).length > LONGEST_VALUE) return false
  return kind === 'text' || isDay(value)
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
