import { ownValue } from '@vedette/protocol/own-value'
import type { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { RecordValues } from '../../records/model/record-store.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'

/**
 * Name of a collection to whose records a configuration file refers by name: `users` by email address, `groups`, `systems` and
 * `system_fields` by their name.
 */
export type NamedCollection = 'users' | 'groups' | 'systems' | 'system_fields'

/**
 * Definition of one field of a section's entries: its names in the file and in the record, its schema, and functions that convert it.
 * Relations have the names of records in the file, and ids in the database.
 */
export type ConfigField = {
  /** Name of the field in the configuration file, such as `host` in the entries of `systems`. */
  readonly name: string
  /** Name of the field in the stored record, if it differs from `name`, the field's name in the configuration file. */
  readonly recordField?: string
  readonly schema: z.ZodType<Json | undefined>
  /**
   * Collection to whose records the field refers by name. If the field is a map, its keys are these names. Absent: the field refers to no
   * records.
   */
  readonly to?: NamedCollection
  /** True if an export of the configuration omits the field when its value is empty. Absent: it is always written. */
  readonly isOmittedEmpty?: true
  /**
   * Function that converts a value of the field from a configuration file to the form of an export, such as a sorted list. Equal values
   * then compare as equal. Absent: the value stays unchanged.
   */
  readonly normalize?: (value: Json) => Json
  /**
   * Function that derives the field's value in the configuration file from the stored record. Absent: the record has the value in a field
   * of its own, unchanged.
   */
  readonly read?: (record: StoredRecord) => Json
  /**
   * Function that returns the fields of a records API request that change the field's value from `before` to `value`. `before` is
   * `undefined` for a new record. Absent: the value is sent as it is, with ids in place of record names.
   */
  readonly write?: (value: Json, before: Json | undefined) => RecordValues
  /**
   * True for a field that cannot be set in the request that creates a record. Its value is stored by a second request after that. Absent:
   * it can.
   */
  readonly isSetLater?: true
  /**
   * Name of the JSON field of the stored record, such as `settings`, in which the value is a member. Absent: the record has a field of its
   * own for it.
   */
  readonly within?: string
  /**
   * Converts the field's value in the configuration file to the member of the JSON field `within`. `undefined` removes the member. Absent:
   * the value is stored unchanged.
   */
  readonly toMember?: (value: Json) => Json | undefined
  /** True for a field with a list of secrets. In the configuration file it has references to secrets, and messages show none of them. */
  readonly isSecret?: true
}

/**
 * Definition of a section of configuration files, such as `systems`: a list of records of one collection. It has the definitions of their
 * fields, and the fields that identify an entry (`key`).
 */
export type ConfigSection = {
  /** Name of the section: its key in a configuration file, such as `systems`. */
  readonly name: string
  readonly collection: string
  /** Noun for one entry of the section in messages about a configuration file, such as `tag rule`. */
  readonly noun: string
  /** Names of the fields whose values together identify an entry within the section of a configuration file. */
  readonly key: readonly string[]
  readonly fields: readonly ConfigField[]
  /**
   * Function that returns false for stored records that cannot be in a configuration file, such as those without an owner. Absent: all can.
   */
  readonly isExported?: (record: StoredRecord) => boolean
  /** True if the option `--delete-missing` never deletes records of this section. Absent: it may. */
  readonly isNeverDeleted?: true
  /**
   * True if the database may have several equal records of this section. A configuration file and an export have only one entry for them.
   * Absent: equal records are an error of an export.
   */
  readonly mayRepeat?: true
  /**
   * True if an earlier section of the configuration file describes the same records, with other fields. An entry of this section then
   * changes that record, and creates one only if there is none. Absent: each entry is a record of its own.
   */
  readonly isJoined?: true
  /**
   * Function that returns true for entries of the section that must be applied before its other entries. Absent: the order does not matter.
   */
  readonly comesFirst?: (entry: ConfigEntry) => boolean
  /**
   * Function that returns required values of a new record that a configuration file cannot set, such as a random token. The result maps
   * field name to value. Absent: there are no such fields.
   */
  readonly newValues?: () => RecordValues
  /**
   * Function that gets the id of a new record of this section, and returns records that must be created with it. The result maps a
   * collection to the values of one further record. Absent: none.
   */
  readonly companions?: (id: string) => Readonly<Record<string, RecordValues>>
}

/** One record in a configuration file: a map from field name to value. */
export type ConfigEntry = { readonly [field: string]: Json }

/**
 * Returns a text that identifies an entry within its section: the values of its key fields as JSON list. Missing key fields count as empty
 * text.
 */
export const keyOf = ({ key }: Pick<ConfigSection, 'key'>, entry: ConfigEntry): string =>
  JSON.stringify(key.map((field) => ownValue(entry, field) ?? ''))

/**
 * Returns the noun and key of a configuration file's entry for messages, such as `system "web-1"`. Control characters in the key are
 * escaped.
 */
export function titleOf({ noun, key }: Pick<ConfigSection, 'noun' | 'key'>, entry: ConfigEntry): string {
  const parts = key.map((field) => ownValue(entry, field) ?? '').filter((value) => value !== '')
  return `${noun} ${parts.map((value) => JSON.stringify(value)).join(' ')}`
}
