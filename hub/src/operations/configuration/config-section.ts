import { ownValue } from '@vedette/protocol/own-value'
import type { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { RecordValues } from '../../records/model/record-store.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'

/** Collections whose records a configuration file names: users by email address, the others by name. */
export type NamedCollection = 'users' | 'groups' | 'systems' | 'system_fields'

/** Field of a section of a configuration file. In the file, a relation has the names of its records in place of their ids. */
export type ConfigField = {
  /** Name in the file. */
  readonly name: string
  /** Name in the record, if it differs. */
  readonly recordField?: string
  readonly schema: z.ZodType<Json | undefined>
  /** Collection to which a relation refers. A map refers to it with its keys. */
  readonly to?: NamedCollection
  /** True for a field that the file omits when it is empty. */
  readonly isOmittedEmpty?: true
  /** Converts a value of the file to the form that an export writes. */
  readonly normalize?: (value: Json) => Json
  /** Returns the value for the file, for a field that is not a plain field of the record. */
  readonly read?: (record: StoredRecord) => Json
  /** Returns the fields of the request body that change the value. `before` is `undefined` for a new record. */
  readonly write?: (value: Json, before: Json | undefined) => RecordValues
  /** True for a field that a new record can get only by an update after its creation. */
  readonly isSetLater?: true
  /** Name of the JSON field of the record that has the value as a member. */
  readonly within?: string
  /** Converts a value of the file to that of the member; `undefined` removes the member. */
  readonly toMember?: (value: Json) => Json | undefined
  /** True for a list of secrets. The file has references in their place, and messages show none of them. */
  readonly isSecret?: true
}

/** Section of a configuration file: a list of records of one collection. */
export type ConfigSection = {
  /** Name in the file, such as `tagRules`. */
  readonly name: string
  readonly collection: string
  /** Noun for messages, such as `tag rule`. */
  readonly noun: string
  /** Names of the fields that together identify a record. */
  readonly key: readonly string[]
  readonly fields: readonly ConfigField[]
  /** Returns false for records that a file cannot have, such as those without an owner. */
  readonly isExported?: (record: StoredRecord) => boolean
  /** True for records that `--delete-missing` never deletes. */
  readonly isNeverDeleted?: true
  /** True if equal records may be stored several times. The file has them once. */
  readonly mayRepeat?: true
  /** True if an earlier section has fields of the same records. A new entry changes the record that this section has created. */
  readonly isJoined?: true
  /** Returns true for entries whose changes come before those of the others. */
  readonly comesFirst?: (entry: ConfigEntry) => boolean
  /** Returns further fields of a new record, which the file does not have. */
  readonly newValues?: () => RecordValues
  /** Returns bodies of further records to create with a new one, by collection. */
  readonly companions?: (id: string) => Readonly<Record<string, RecordValues>>
}

/** Record of a section as the file has it: a map from field name to value. */
export type ConfigEntry = { readonly [field: string]: Json }

/** Returns the text that identifies an entry in its section. Missing key fields count as empty. */
export const keyOf = ({ key }: Pick<ConfigSection, 'key'>, entry: ConfigEntry): string =>
  JSON.stringify(key.map((field) => ownValue(entry, field) ?? ''))

/** Returns an entry for messages: its noun and key, such as `system "web-1"`. Control characters are escaped. */
export function titleOf({ noun, key }: Pick<ConfigSection, 'noun' | 'key'>, entry: ConfigEntry): string {
  const parts = key.map((field) => ownValue(entry, field) ?? '').filter((value) => value !== '')
  return `${noun} ${parts.map((value) => JSON.stringify(value)).join(' ')}`
}
