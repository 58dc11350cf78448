import type { Json } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { parseJson } from '../../platform/json.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { FieldErrors } from './record-error.ts'
import type { RecordStore, RecordValues } from './record-store.ts'
import type { KeyUse } from './key-scope.ts'
import { type Actor, asText, type StoredRecord } from './stored-record.ts'
import { randomId } from '../../platform/secrets/random-id.ts'

type FieldOf<Kind extends string, Details = object> = {
  readonly kind: Kind
  readonly name: string
  /**
   * Option of a field of a collection: a record is only accepted if this field is not empty. Empty values are `""`, 0, false, `[]`, `{}`
   * and null.
   */
  readonly required?: true
  /**
   * Option of a field of a collection: the field is never part of a response. Access rules may use the field, and admins may filter by it
   * and write it.
   */
  readonly hidden?: true
  /** Option of a field of a collection: responses omit the field while its value is empty, for clients that do not know it. */
  readonly sparse?: true
  /**
   * Option of a field of a collection: only the hub sets the field, such as `accessTags`. A value from a client is ignored, also one from
   * an admin.
   */
  readonly derived?: true
} & Readonly<Details>

type Lengths = { minLength?: number; maxLength?: number; pattern?: RegExp; generate?: () => string }

/**
 * Definition of a field of a collection. Its column has the same name; flags are stored as 0 or 1, lists and JSON as JSON text. Length
 * limits count code points.
 */
export type Field =
  | FieldOf<'text', Lengths>
  | FieldOf<'email'>
  // Number field. `empty` is the value when none is given, 0 by default. It must differ from 0 if 0 is a real value.
  | FieldOf<'number', { min?: number; max?: number; integer?: true; empty?: number }>
  | FieldOf<'flag'>
  | FieldOf<'select', { values: readonly string[] }>
  | FieldOf<'relation', { to: string; many?: true; cascade?: true }>
  | FieldOf<'date'>
  // Creation date, set by the store. A client's value is ignored.
  | FieldOf<'created'>
  | FieldOf<'updated'>
  | FieldOf<'json', { maxBytes: number }>
  // Sorted list of tags. `most` is the maximum number of tags.
  | FieldOf<'labels', { most?: number }>
  // Encrypted text. A second column `<name>Hmac` contains a digest, to find equal values.
  | FieldOf<'secret', Lengths>
  // Password, stored as a hash that never leaves the hub.
  | FieldOf<'password'>

export type IdForm = { readonly minLength: number; readonly maxLength: number; readonly pattern: RegExp; readonly generate: () => string }

/**
 * Returns an id format: pattern, generator and length limits of ids of lower-case letters and digits. New ids have `length` characters; ids
 * from clients have `range.minLength` to `range.maxLength`.
 */
export function idForm(length: number, range: { minLength: number; maxLength: number } = { minLength: length, maxLength: length }): IdForm {
  return { ...range, pattern: /^[a-z0-9]+$/, generate: () => randomId(length) }
}

/**
 * Access rules of a collection by action (`list`, `view`, `create`, `update`, `delete`), as filter expressions. `''` allows everyone; null
 * allows admins only.
 */
export type Rules = {
  readonly list: string | null
  readonly view: string | null
  readonly create: string | null
  readonly update: string | null
  readonly delete: string | null
  /**
   * Access rule (filter expression) that a new or changed record must match as it would be stored. It stops users from giving records to
   * others, or referring to others' records. Absent: no such check.
   */
  readonly stored?: string
}

export type RuleName = keyof Rules

/** Services that a collection's hook gets: the database transaction, the record store, and the current time in epoch ms. */
export type HookContext = { readonly unit: UnitOfWork; readonly store: RecordStore; readonly nowMs: number }

/** Write of a record by a user: the request's body as sent, the stored record (`undefined` for a new one), and the user's account. */
export type SentWrite = { readonly body: RecordValues; readonly previous: StoredRecord | undefined; readonly actor: Actor }

/**
 * Functions of a collection that change, check or follow the write of a record by a user: before validation, during it, and after storing.
 * Only `removed` also runs when the hub itself deletes one.
 */
export type Hooks = {
  /**
   * Function that returns the values of the collection's `derived` fields, and of the fields from which they follow, for a user's write of
   * a record. `errors` maps field names to the errors of that write, `{}` for none.
   */
  readonly derive?: (write: SentWrite, context: HookContext) => Promise<{ readonly values: RecordValues; readonly errors: FieldErrors }>
  /**
   * Function that returns the values of a new record with changes or additions that the collection makes, before they are validated.
   * Absent: the values stay as they are.
   */
  readonly prepareCreate?: (values: RecordValues, context: HookContext) => Promise<RecordValues>
  /**
   * Function that returns the values of an update with changes or additions that the collection makes, before they are validated. `next` is
   * the complete record with the update. Absent: the values stay as they are.
   */
  readonly prepareUpdate?: (next: RecordValues, previous: StoredRecord) => RecordValues
  /**
   * Function that returns errors by field name for the whole record to be stored, besides those of its single fields; `{}` without errors.
   * `previous` is `undefined` for a new record, `collections` has all collections of the hub.
   */
  readonly check?: (record: RecordValues, previous: StoredRecord | undefined, collections: Collections) => FieldErrors
  /**
   * Function of a collection that resolves to errors by field name that depend on other stored records; `{}` for none. Called for the
   * record to be stored, only if `check` and the checks of single fields found no errors.
   */
  readonly checkOthers?: (record: RecordValues, previous: StoredRecord | undefined, context: HookContext) => Promise<FieldErrors>
  /**
   * Function of a collection that may forbid a user's update or deletion of a record: it then rejects with a RecordError. `previous` is the
   * stored record, `next` the record after the update, `undefined` for a deletion.
   */
  readonly refuse?: (previous: StoredRecord, next: RecordValues | undefined, context: HookContext) => Promise<void>
  /**
   * Function called after a user's change of a record, in its transaction, such as to change further records. `previous` is `undefined` for
   * a new record, `next` for a deletion.
   */
  readonly followed?: (previous: StoredRecord | undefined, next: StoredRecord | undefined, context: HookContext) => Promise<void>
  /**
   * Function that deletes other data of the deleted record with this id, in the transaction `unit`. Called whether a user or the hub
   * deleted the record. Absent: there is no other data.
   */
  readonly removed?: (id: string, unit: UnitOfWork) => Promise<void>
}

/** Definition of a collection for the records API: fields, access rules and storage. */
export type Collection = {
  readonly name: string
  /** Id of the collection in the API. Requests may use it in place of the collection's name. */
  readonly id: string
  /** Type of the collection: `auth` if its records are accounts that can sign in, otherwise `base`. Clients read it. */
  readonly type: 'base' | 'auth'
  /**
   * Where the collection's records come from: `table` (database table), `source` (built on request, see `RecordSource`), `view` (a filtered
   * other collection), or `none` (always empty).
   */
  readonly storage: 'table' | 'source' | 'view' | 'none'
  /**
   * Definition of a view: the records of the collection named `collection` whose fields equal these `values`. Writes go to that collection,
   * with these values set. `undefined` if the collection is not a view.
   */
  readonly viewOf?: { readonly collection: string; readonly values: RecordValues }
  readonly idForm: IdForm
  readonly fields: readonly Field[]
  readonly rules: Rules
  /**
   * Use of the collection by API keys: with `read` they can only read records, with `write` those with that scope can also change them.
   * `undefined` refuses all API keys.
   */
  readonly keys?: KeyUse
  /**
   * List of the fields, or combinations of fields, that must be unique in the collection, unless all are empty. `ignoreCase`: letter case
   * does not count; only for a single text field.
   */
  readonly unique: readonly { readonly fields: readonly string[]; readonly ignoreCase?: true }[]
  /** Name of the database lock that each user's write of a record of this collection takes at its start. Absent: none. */
  readonly alone?: string
  readonly hooks?: Hooks
}

export type Collections = {
  readonly all: readonly Collection[]
  /** Returns the collection of the records API with this name or id; `undefined` if there is none. */
  readonly find: (nameOrId: string) => Collection | undefined
}

export function collectionsOf(all: readonly Collection[]): Collections {
  const known = new Map(all.flatMap((collection) => [[collection.name, collection] as const, [collection.id, collection] as const]))
  return { all, find: (nameOrId) => known.get(nameOrId) }
}

/** Row of a collection's table: a map from column name to value. SQLite and PostgreSQL use the same types of values. */
export type Row = { readonly [column: string]: string | number | null }

/**
 * Returns the name of the column that contains the digest of a secret (encrypted) field, by which records with an equal value are found.
 */
export const digestColumn = (field: string): `${string}Hmac` => `${field}Hmac`

/** Returns the empty value of a field, such as `''`, 0 or `[]`, which a record gets when no value is given. */
export function emptyValue(field: Field): Json {
  switch (field.kind) {
    case 'number':
      return field.empty ?? 0
    case 'flag':
      return false
    case 'json':
      return null
    case 'labels':
      return []
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
    case 'labels':
      return parseJson(String(value))
    case 'relation':
      return field.many === true ? parseJson(String(value)) : value
    case 'secret':
      return secrets.open(`${collection.name}.${field.name}`, String(value))
    default:
      return value
  }
}

/**
 * Converts field values to a row of the collection's table: values encoded for the columns, and for secrets also their digests. Unknown
 * field names are left out.
 */
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

const listColumn = (value: Json): string => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : '')

/**
 * Converts the value of a field to the text or number that its column stores: booleans to 0 or 1, lists to JSON, secrets encrypted. SQL
 * that compares a column with a field value must convert that value first.
 */
export function toColumn(collection: Collection, field: Field, value: Json, secrets: SecretBox): string | number {
  switch (field.kind) {
    case 'flag':
      return value === true ? 1 : 0
    case 'number':
      return typeof value === 'number' ? value : 0
    case 'json':
      return JSON.stringify(value)
    case 'labels':
      return listColumn(value)
    case 'relation':
      return field.many === true ? JSON.stringify(value) : asText(value)
    case 'secret':
      return value === '' ? '' : secrets.seal(`${collection.name}.${field.name}`, asText(value))
    default:
      return asText(value)
  }
}
