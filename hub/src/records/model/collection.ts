import type { UnitOfWork } from '../../platform/db/database.ts'
import type { FieldErrors } from './record-error.ts'
import type { RecordStore, RecordValues } from './record-store.ts'
import type { StoredRecord } from './stored-record.ts'

type FieldOf<Kind extends string, Details = object> = {
  readonly kind: Kind
  readonly name: string
  /** Must not be empty: `""`, 0, `[]` and null are. */
  readonly required?: true
  /** Sent to nobody. Access rules may use it, and admins may filter by it and write it. */
  readonly hidden?: true
  /** Left out of answers while it is empty: clients that do not know it are sent what they always were. */
  readonly sparse?: true
} & Readonly<Details>

type Lengths = { minLength?: number; maxLength?: number; pattern?: RegExp; generate?: () => string }

/** One field. Its column carries its name; flags are 0 or 1, lists and JSON are JSON texts. Lengths count code points. */
export type Field =
  | FieldOf<'text', Lengths>
  | FieldOf<'email'>
  | FieldOf<'number', { min?: number; max?: number; integer?: true }>
  | FieldOf<'flag'>
  | FieldOf<'select', { values: readonly string[] }>
  | FieldOf<'relation', { to: string; many?: true; cascade?: true }>
  | FieldOf<'date'>
  /** Set by the store; a client's value is ignored. */
  | FieldOf<'created'>
  | FieldOf<'updated'>
  | FieldOf<'json', { maxBytes: number }>
  /** Encrypted at rest; a second column `<name>Hmac` finds equal ones. */
  | FieldOf<'secret', Lengths>
  /** Holds a hash; never leaves the hub. */
  | FieldOf<'password'>

export type IdForm = { readonly minLength: number; readonly maxLength: number; readonly pattern: RegExp; readonly generate: () => string }

/** Texts of the filter language: `''` lets everybody, null only admins. */
export type Rules = {
  readonly list: string | null
  readonly view: string | null
  readonly create: string | null
  readonly update: string | null
  readonly delete: string | null
  /** What a record must satisfy once it is valid, new or changed, lest one hands it to somebody else or reaches out with it. */
  readonly stored?: string
}

export type RuleName = keyof Rules

/** What a hook may use beside the record: it runs inside the unit of work. */
export type HookContext = { readonly unit: UnitOfWork; readonly store: RecordStore; readonly nowMs: number }

/** What a collection does beyond storing, when a person (not the hub itself) writes. */
export type Hooks = {
  /** Completes or replaces the values of a new record before they are checked. */
  readonly prepareCreate?: (values: RecordValues, context: HookContext) => Promise<RecordValues>
  /** The same for a change; `next` is the whole record as it would be. */
  readonly prepareUpdate?: (next: RecordValues, previous: StoredRecord) => RecordValues
  /** What is wrong with fields that are right one by one; `previous` is undefined for a new record. */
  readonly check?: (record: RecordValues, previous: StoredRecord | undefined) => FieldErrors
  /** Refuses a change by throwing a RecordError. `next` is undefined for a deletion. */
  readonly refuse?: (previous: StoredRecord, next: RecordValues | undefined, context: HookContext) => Promise<void>
  /** Follows a change that was made: a creation has no `previous`, a deletion no `next`. */
  readonly followed?: (previous: StoredRecord | undefined, next: StoredRecord | undefined, context: HookContext) => Promise<void>
  /** Removes what belongs to a record that was deleted, by whomever. */
  readonly removed?: (id: string, unit: UnitOfWork) => Promise<void>
}

/** One collection as a value: everything the records API needs to know of it. */
export type Collection = {
  readonly name: string
  /** The id clients know it by. */
  readonly id: string
  /** `auth`: its records sign in. */
  readonly type: 'base' | 'auth'
  /** `source`: its records come from a RecordSource, not from a table; `view`: from another collection; `none`: there are none. */
  readonly storage: 'table' | 'source' | 'view' | 'none'
  /** Of a view: its records are those of the other collection that have these values, and what is written here is written there. */
  readonly viewOf?: { readonly collection: string; readonly values: RecordValues }
  readonly idForm: IdForm
  readonly fields: readonly Field[]
  readonly rules: Rules
  /** Fields that together occur once. `ignoreCase` is for one text field. */
  readonly unique: readonly { readonly fields: readonly string[]; readonly ignoreCase?: true }[]
  readonly hooks?: Hooks
}

export type Collections = {
  readonly all: readonly Collection[]
  /** By name or id. */
  readonly find: (nameOrId: string) => Collection | undefined
}

export function collectionsOf(all: readonly Collection[]): Collections {
  const known = new Map(all.flatMap((collection) => [[collection.name, collection] as const, [collection.id, collection] as const]))
  return { all, find: (nameOrId) => known.get(nameOrId) }
}
