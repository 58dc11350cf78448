import { ownValue } from '@vedette/protocol/own-value'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { isJsonObject } from '../../platform/json.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { idsIn } from '../../records/filter/matches.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { asText, textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { settingsAsJson } from '../../settings/saved-settings.ts'
import { loadSettings, type HubSettings } from '../../settings/settings.ts'
import type { ConfigFile } from './config-form.ts'
import { ConfigRefusedError } from './config-problem.ts'
import { keyOf, titleOf, type ConfigEntry, type ConfigField, type ConfigSection, type NamedCollection } from './config-section.ts'
import { hideSecrets } from './config-secrets.ts'
import { exportedSignIn, loadStoredSignIn, type StoredSignIn } from './config-sign-in.ts'
import { sortedTexts } from './config-fields.ts'
import { configSections } from './config-sections.ts'

/**
 * Stored record in the form of a configuration file. `id` is the record's id; `entry` has its fields, with the names and values that the
 * file uses.
 */
export type StoredEntry = { readonly id: string; readonly entry: ConfigEntry }

/**
 * Map from collection to a map from the id of a record to the name by which a configuration file refers to it. That is the email address of
 * a user, the name of any other record.
 */
export type StoredNames = Readonly<Record<NamedCollection, ReadonlyMap<string, string>>>

/**
 * Configuration in the database in the form of a configuration file: settings, ways to sign in, and entries of each section, sorted by
 * their keys. `names` has the names of records to which entries refer.
 */
export type StoredConfig = {
  readonly settings: HubSettings
  readonly signIn: StoredSignIn
  readonly names: StoredNames
  readonly entries: ReadonlyMap<string, readonly StoredEntry[]>
}

/**
 * Services for loading the stored configuration: the store of records, the database with the settings, and the secret box. The secret box
 * decrypts the mail password and client secrets.
 */
export type ConfigPlace = { readonly store: RecordStore; readonly database: Database; readonly secrets: SecretBox }

/**
 * Loads the settings, ways to sign in and records that a configuration file can describe. With a transaction (`unit`) it sees that
 * transaction's changes. Rejects with a SyntaxError if another key encrypted the mail password.
 */
export async function loadConfig({ store, database, secrets }: ConfigPlace, unit?: UnitOfWork): Promise<StoredConfig> {
  const loaded = new Map<string, readonly StoredRecord[]>()
  for (const collection of new Set(['users', ...configSections.map((section) => section.collection)]))
    loaded.set(collection, await store.loadWhere(collection, {}, unit))
  const namesIn = (collection: NamedCollection, field: string) =>
    new Map((loaded.get(collection) ?? []).map((record) => [record.id, textOf(record, field)]))
  const names = {
    users: namesIn('users', 'email'),
    groups: namesIn('groups', 'name'),
    systems: namesIn('systems', 'name'),
    system_fields: namesIn('system_fields', 'name'),
  }
  const entries = configSections.map((section) => {
    const records = (loaded.get(section.collection) ?? []).filter(section.isExported ?? (() => true))
    const found = records.map((record) => ({ id: record.id, entry: entryOf(section, record, names) }))
    return [section.name, found.toSorted((a, b) => compareTexts(keyOf(section, a.entry), keyOf(section, b.entry)))] as const
  })
  const sql = unit?.sql ?? database.kysely
  const [settings, signIn] = [await loadSettings(sql, secrets), await loadStoredSignIn(sql, secrets)]
  return { settings, signIn, names, entries: new Map(entries) }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function entryOf({ fields }: ConfigSection, record: StoredRecord, names: StoredNames): ConfigEntry {
  const entry = fields.map((field) => [field, valueOf(field, record, names)] as const)
  return Object.fromEntries(
    entry.filter(([field, value]) => !(field.isOmittedEmpty === true && value === '')).map(([{ name }, value]) => [name, value]),
  )
}

function valueOf(field: ConfigField, record: StoredRecord, names: StoredNames): ConfigEntry[string] {
  if (field.read !== undefined) return field.read(record)
  const value = ownValue(record, field.recordField ?? field.name) ?? ''
  if (field.to === undefined) return value
  const known = names[field.to]
  if (isJsonObject(value)) {
    // Values of deleted fields have no name.
    const named = Object.entries(value).flatMap(([id, one]) => (known.has(id) ? [[known.get(id) ?? '', one] as const] : []))
    return field.normalize?.(Object.fromEntries(named)) ?? {}
  }
  return Array.isArray(value) ? sortedTexts(idsIn(value).flatMap((id) => known.get(id) ?? [])) : (known.get(asText(value)) ?? '')
}

/**
 * Converts the stored configuration to a configuration file, with references in place of secrets. Throws a {@link ConfigRefusedError} if
 * two records of a section have the same key (such as name), because the file identifies records by it. Equal entries of a section with
 * `mayRepeat` are written once.
 */
export function exportedConfig({ settings, signIn, entries }: StoredConfig): ConfigFile {
  const problems: string[] = []
  const sections = configSections.map((section) => {
    const all = entries.get(section.name) ?? []
    const byKey = Map.groupBy(all, ({ entry }) => keyOf(section, entry))
    const first = [...byKey.values()].flatMap(([one]) => one ?? [])
    if (section.mayRepeat !== true)
      for (const { entry } of first.filter((one) => (byKey.get(keyOf(section, one.entry))?.length ?? 0) > 1))
        problems.push(`Cannot export: ${titleOf(section, entry)} is not unique on this hub; rename all but one`)
    return [section.name, first.map(({ entry }) => entry)] as const
  })
  if (problems.length > 0) throw new ConfigRefusedError(problems.join('\n'))
  return hideSecrets({ version: 1, settings: settingsAsJson(settings), signIn: exportedSignIn(signIn), ...Object.fromEntries(sections) })
}
