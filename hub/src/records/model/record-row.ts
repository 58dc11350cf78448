import type { Json } from '@vedette/protocol/wire/stats-json'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Collection, Field } from './collection.ts'
import { parseJson } from '../../platform/json.ts'
import type { StoredRecord } from './stored-record.ts'

/** A row of a collection's table, with the column types of both databases. */
export type Row = { readonly [column: string]: string | number | null }

/** The column next to a secret's column that holds its digest, for lookups. */
export const digestColumn = (field: string): `${string}Hmac` => `${field}Hmac`

/** The value of a field when none is given. */
export function emptyValue(field: Field): Json {
  switch (field.kind) {
    case 'number':
      return 0
    case 'flag':
      return false
    case 'json':
      return null
    case 'relation':
      return field.many === true ? [] : ''
    default:
      return ''
  }
}

export function toRecord(collection: Collection, row: Row, secrets: SecretBox): StoredRecord {
  const record: { [field: string]: Json; id: string } = { id: String(row['id']) }
  for (const field of collection.fields) record[field.name] = fromColumn(collection, field, row[field.name] ?? null, secrets)
  return record
}

function fromColumn(collection: Collection, field: Field, value: string | number | null, secrets: SecretBox): Json {
  if (value === null || value === '') return emptyValue(field)
  switch (field.kind) {
    case 'flag':
      return Number(value) !== 0
    case 'number':
      return Number(value)
    case 'json':
      return parseJson(String(value))
    case 'relation':
      return field.many === true ? parseJson(String(value)) : value
    case 'secret':
      return secrets.open(`${collection.name}.${field.name}`, String(value))
    default:
      return value
  }
}

/** The columns for the fields in `values`; unknown names are left out. */
export function toRow(collection: Collection, values: { readonly [field: string]: Json }, secrets: SecretBox): Row {
  const row: { [column: string]: string | number | null } = {}
  if (typeof values['id'] === 'string') row['id'] = values['id']
  for (const field of collection.fields) {
    const value = values[field.name]
    if (value === undefined) continue
    row[field.name] = toColumn(collection, field, value, secrets)
    if (field.kind === 'secret')
      row[digestColumn(field.name)] = value === '' ? '' : secrets.digest(`${collection.name}.${field.name}`, asText(value))
  }
  return row
}

/** The stored column value of a field. Comparisons for equality must use it. */
export function toColumn(collection: Collection, field: Field, value: Json, secrets: SecretBox): string | number {
  switch (field.kind) {
    case 'flag':
      return value === true ? 1 : 0
    case 'number':
      return typeof value === 'number' ? value : 0
    case 'json':
      return JSON.stringify(value)
    case 'relation':
      return field.many === true ? JSON.stringify(value) : asText(value)
    case 'secret':
      return value === '' ? '' : secrets.seal(`${collection.name}.${field.name}`, asText(value))
    default:
      return asText(value)
  }
}

/** Text of a value: a string itself, `''` for null, otherwise JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}
