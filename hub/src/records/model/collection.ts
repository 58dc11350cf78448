import type { Json } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { parseJson } from '../../platform/json.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { FieldErrors } from './record-error.ts'
import type { RecordStore, RecordValues } from './record-store.ts'
import { asText, type StoredRecord } from './stored-record.ts'
import { randomId } from '../../platform/secrets/random-id.ts'

type FieldOf<Kind extends string, Details = object> = {
  readonly kind: Kind
  readonly name: string
  /** Must not be empty. Empty values are `""`, 0, false, `[]`, `{}` and null. */
  readonly required?: true
  /** Never part of a response. Access rules may use the field, and admins may filter by it and write it. */
  readonly hidden?: true
  /** Left out of responses while it is empty, so that clients that do not know the field receive what they expect. */
  readonly sparse?: true
} & Readonly<Details>

type Lengths = { minLength?: number; maxLength?: number; pattern?: RegExp; generate?: () => string }

/** One field. Its column has the same name; flags are stored as 0 or 1, lists and JSON as JSON text. Lengths count code points. */
export type Field =
  | FieldOf<'text', Lengths>
  | FieldOf<'email'>
  /** `empty`: the value when none is given, 0 without it. A field in which 0 is a value of its own needs another one. */
  | FieldOf<'number', { min?: number; max?: number; integer?: true; empty?: number }>
  | FieldOf<'flag'>
  | FieldOf<'select', { values: readonly string[] }>
  | FieldOf<'relation', { to: string; many?: true; cascade?: true }>
  | FieldOf<'date'>
  /** Set by the store; a client's value is ignored. */
  | FieldOf<'created'>
  | FieldOf<'updated'>
  | FieldOf<'json', { maxBytes: number }>
  /** Encrypted at rest. A second column `<name>Hmac` holds a digest to find equal values. */
  | FieldOf<'secret', Lengths>
  /** Stored as a hash, which never leaves the hub. */
  | FieldOf<'password'>

export type IdForm = { readonly minLength: number; readonly maxLength: number; readonly pattern: RegExp; readonly generate: () => string }

/** Id format of lower-case letters and digits. New ids have `length` characters; `range` limits the ids that clients send. */
export function idForm(length: number, range: { minLength: number; maxLength: number } = { minLength: length, maxLength: length }): IdForm {
  return { ...range, pattern: /^[a-z0-9]+$/, generate: () => randomId(length) }
}

/** Filter expressions. `''` allows everyone; null allows admins only. */
export type Rules = {
  readonly list: string | null
  readonly view: string | null
  readonly create: string | null
  readonly update: string | null
  readonly delete: string | null
  /** Checked on a new or changed record before it is stored, so that nobody can hand it to others or reach other records with it. */
  readonly stored?: string
}

export type RuleName = keyof Rules

/** Context of a hook, which runs inside the unit of work. */
export type HookContext = { readonly unit: UnitOfWork; readonly store: RecordStore; readonly nowMs: number }

/** Hooks of a collection. They run when a person writes; only `removed` also runs when the hub itself deletes. */
export type Hooks = {
  /** Completes or replaces the values of a new record before validation. */
  readonly prepareCreate?: (values: RecordValues, context: HookContext) => Promise<RecordValues>
  /** Completes or replaces the values of a change before validation. `next` is the whole changed record. */
  readonly prepareUpdate?: (next: RecordValues, previous: StoredRecord) => RecordValues
  /** Errors in the combination of fields that are valid one by one. `previous` is undefined for a new record. */
  readonly check?: (record: RecordValues, previous: StoredRecord | undefined) => FieldErrors
  /** Rejects a change by throwing a RecordError. `next` is undefined for a deletion. */
  readonly refuse?: (previous: StoredRecord, next: RecordValues | undefined, context: HookContext) => Promise<void>
  /** Runs after a change, in its transaction. A creation has no `previous`, a deletion no `next`. */
  readonly followed?: (previous: StoredRecord | undefined, next: StoredRecord | undefined, context: HookContext) => Promise<void>
  /** Deletes data that belongs to a deleted record, whoever deleted it. */
  readonly removed?: (id: string, unit: UnitOfWork) => Promise<void>
}

/** The definition of a collection: everything the records API needs to know. */
export type Collection = {
  readonly name: string
  /** The collection's id in the API. */
  readonly id: string
  /** `auth`: its records are accounts that can sign in. */
  readonly type: 'base' | 'auth'
  /** `source`: records come from a RecordSource instead of a table; `view`: from another collection; `none`: there are none. */
  readonly storage: 'table' | 'source' | 'view' | 'none'
  /** Set for a view: its records are those of `collection` with these `values`. Writes go to that collection. */
  readonly viewOf?: { readonly collection: string; readonly values: RecordValues }
  readonly idForm: IdForm
  readonly fields: readonly Field[]
  readonly rules: Rules
  /** Combinations of fields that must be unique. `ignoreCase` is for one text field. */
  readonly unique: readonly { readonly fields: readonly string[]; readonly ignoreCase?: true }[]
  readonly hooks?: Hooks
}

export type Collections = {
  readonly all: readonly Collection[]
  /** Finds a collection by name or id. */
  readonly find: (nameOrId: string) => Collection | undefined
}

export function collectionsOf(all: readonly Collection[]): Collections {
  const known = new Map(all.flatMap((collection) => [[collection.name, collection] as const, [collection.id, collection] as const]))
  return { all, find: (nameOrId) => known.get(nameOrId) }
}

/** A row of a collection's table, with the column types of both databases. */
export type Row = { readonly [column: string]: string | number | null }

/** The column next to a secret's column that holds its digest, for lookups. */
export const digestColumn = (field: string): `${string}Hmac` => `${field}Hmac`

/** The value of a field when none is given. */
export function emptyValue(field: Field): Json {
  switch (field.kind) {
    case 'number':
      return field.empty ?? 0
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
