import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../../platform/json.ts'
import { asText } from '../../records/model/stored-record.ts'
import type { ConfigFile } from './config-form.ts'
import type { ConfigPath, ConfigProblem } from './config-problem.ts'
import { keyOf, titleOf, type ConfigEntry, type ConfigField, type ConfigSection, type NamedCollection } from './config-section.ts'
import { textsIn } from './config-fields.ts'
import { configSections } from './config-sections.ts'
import { planConfigSettings, type ConfigSettingsPlan } from './config-settings.ts'
import { planConfigSignIn, type ConfigSignInPlan } from './plan-sign-in.ts'
import type { StoredConfig, StoredEntry } from './stored-config.ts'

/**
 * Field (`field`) of an entry in a configuration file whose value differs from the stored record. `before` is the stored value, `undefined`
 * for a new record; `after` is the value in the file.
 */
export type FieldDifference = { readonly field: ConfigField; readonly before: Json | undefined; readonly after: Json }

/**
 * One change that makes the database equal to a configuration file: create, update or delete a record. `id` is the record's id, chosen in
 * advance for a new one. In a section with `isJoined`, `create` changes the record that an earlier section has created, if there is one.
 */
export type ConfigChange = {
  readonly action: 'create' | 'update' | 'delete'
  readonly section: ConfigSection
  /**
   * Path of the entry in the configuration file from which this change follows, such as `['systems', 3]`, for error messages. Empty for a
   * deletion, which has no entry.
   */
  readonly path: ConfigPath
  readonly id: string
  readonly entry: ConfigEntry
  readonly differences: readonly FieldDifference[]
}

/** Map from collection to a map from the name of a record, as a configuration file uses it, to the record's id. */
export type NamedIds = Readonly<Record<NamedCollection, ReadonlyMap<string, string>>>

/**
 * Result of comparing a configuration file with the database: the changes in the order in which they are made, and the errors in the file.
 * It is not carried out if there are errors.
 */
export type ConfigPlan = {
  /**
   * Result of comparing the hub's settings in a configuration file with the stored ones: their changes and errors. The errors are also in
   * `problems`.
   */
  readonly settings: ConfigSettingsPlan
  /**
   * Result of comparing the ways to sign in in a configuration file with the stored ones: their changes and errors. The errors are also in
   * `problems`.
   */
  readonly signIn: ConfigSignInPlan
  readonly changes: readonly ConfigChange[]
  readonly problems: readonly ConfigProblem[]
  readonly ids: NamedIds
  /**
   * List of pairs of a section and a count. The count is the number of the section's stored records that the configuration file lacks and
   * that stay unchanged.
   */
  readonly untouched: readonly { readonly section: ConfigSection; readonly count: number }[]
}

export type PlanOptions = {
  /**
   * True to delete stored records and identity providers that the configuration file lacks, in the sections that are present in the file.
   * Sections with `isNeverDeleted` are excepted.
   */
  readonly deletesMissing: boolean
  /**
   * Function that returns a new record id for a section of the configuration file. Ids are chosen before the records are created, because
   * other new records refer to them.
   */
  readonly newId: (section: ConfigSection) => string
}

/**
 * Compares a configuration file with the stored configuration and returns the changes that apply the file. Records that the file lacks stay
 * unless `deletesMissing` is set. Changes nothing.
 */
export function planConfig(stored: StoredConfig, file: ConfigFile, options: PlanOptions): ConfigPlan {
  const parts = configSections.map((section) => planSection(section, stored.entries.get(section.name) ?? [], { file, options }))
  const changes = parts.flatMap((part) => part.changes)
  const deleted = new Set(changes.filter(({ action }) => action === 'delete').map(({ id }) => id))
  const empty = (): Map<string, string[]> => new Map()
  const known = { users: empty(), groups: empty(), systems: empty(), system_fields: empty() }
  const note = (to: NamedCollection, name: string, id: string): void => void known[to].set(name, [...(known[to].get(name) ?? []), id])
  for (const to of namedCollections) for (const [id, name] of stored.names[to]) if (!deleted.has(id)) note(to, name, id)
  for (const { action, section, id, entry } of changes) {
    const to = namedCollections.find((name) => name === section.collection)
    if (action === 'create' && to !== undefined) note(to, asText(ownValue(entry, section.key[0] ?? '') ?? ''), id)
  }
  const settings = planConfigSettings(stored.settings, file.settings ?? {})
  const { deletesMissing } = options
  const signIn = planConfigSignIn(stored.signIn, file.signIn ?? {}, { deletesMissing, sendsMail: settings.after.smtp.enabled })
  const problems = [...settings.problems, ...signIn.problems, ...parts.flatMap((part) => part.problems)]
  const wrongReferences = configSections.flatMap((section) =>
    entriesOf(file, section).flatMap((entry, at) => referenceProblems(section, entry, [section.name, at], known)),
  )
  return {
    settings,
    signIn,
    changes: [...changes.filter(({ action }) => action === 'delete').toReversed(), ...changes.filter(({ action }) => action !== 'delete')],
    problems: [...problems, ...wrongReferences],
    ids: {
      users: firstIds(known.users),
      groups: firstIds(known.groups),
      systems: firstIds(known.systems),
      system_fields: firstIds(known.system_fields),
    },
    untouched: parts.map(({ section, untouched }) => ({ section, count: untouched })).filter(({ count }) => count > 0),
  }
}

const namedCollections = ['users', 'groups', 'systems', 'system_fields'] as const satisfies readonly NamedCollection[]

const firstIds = (known: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> =>
  new Map([...known].map(([name, [id = '']]) => [name, id]))

/**
 * Returns the entries of a section of the configuration file; `[]` if the file lacks the section. Each is converted to the form that an
 * export writes, so that stored entries can be compared.
 */
function entriesOf(file: ConfigFile, section: ConfigSection): readonly ConfigEntry[] {
  const entries = ownValue(file, section.name)
  return Array.isArray(entries) ? entries.map((entry: ConfigEntry) => normalized(section, entry)) : []
}

const normalized = ({ fields }: ConfigSection, entry: ConfigEntry): ConfigEntry =>
  Object.fromEntries(
    fields.flatMap(({ name, normalize = (value) => value, isOmittedEmpty }) => {
      const value = ownValue(entry, name)
      return value === undefined || (isOmittedEmpty === true && value === '') ? [] : [[name, normalize(value)]]
    }),
  )

type SectionPlan = {
  readonly section: ConfigSection
  readonly changes: readonly ConfigChange[]
  readonly problems: readonly ConfigProblem[]
  readonly untouched: number
}

function planSection(
  section: ConfigSection,
  stored: readonly StoredEntry[],
  { file, options }: { readonly file: ConfigFile; readonly options: PlanOptions },
): SectionPlan {
  const byKey = Map.groupBy(stored, ({ entry }) => keyOf(section, entry))
  const places = new Map<string, number>()
  const changes: ConfigChange[] = []
  const problems: ConfigProblem[] = []
  for (const [at, entry] of entriesOf(file, section).entries()) {
    const path = [section.name, at]
    const key = keyOf(section, entry)
    const [first, second] = byKey.get(key) ?? []
    const earlier = places.get(key)
    places.set(key, earlier ?? at)
    if (earlier !== undefined) problems.push({ path, message: `${titleOf(section, entry)} is already ${section.name}[${earlier}]` })
    else if (second !== undefined && section.mayRepeat !== true)
      problems.push({ path, message: `${titleOf(section, entry)} is not unique on this hub` })
    else changes.push(...changeOf(section, { path, entry, stored: first }, options))
  }
  const missing = stored.filter(({ entry }) => !places.has(keyOf(section, entry)))
  const isDeleted = options.deletesMissing && section.isNeverDeleted !== true && ownValue(file, section.name) !== undefined
  if (isDeleted) for (const { id, entry } of missing) changes.push({ action: 'delete', section, path: [], id, entry, differences: [] })
  return { section, changes: inOrder(section, changes), problems, untouched: isDeleted ? 0 : missing.length }
}

function inOrder({ comesFirst = () => false }: ConfigSection, changes: readonly ConfigChange[]): readonly ConfigChange[] {
  return [...changes.filter(({ entry }) => comesFirst(entry)), ...changes.filter(({ entry }) => !comesFirst(entry))]
}

type Compared = { readonly path: ConfigPath; readonly entry: ConfigEntry; readonly stored: StoredEntry | undefined }

function changeOf(section: ConfigSection, { path, entry, stored }: Compared, { newId }: PlanOptions): readonly ConfigChange[] {
  const differences = section.fields.flatMap((field): FieldDifference[] => {
    const [before, after] = [stored && ownValue(stored.entry, field.name), ownValue(entry, field.name)]
    return after === undefined || JSON.stringify(before) === JSON.stringify(after) ? [] : [{ field, before, after }]
  })
  if (stored === undefined) return [{ action: 'create', section, path, id: newId(section), entry, differences }]
  return differences.length === 0 ? [] : [{ action: 'update', section, path, id: stored.id, entry, differences }]
}

const nouns: Readonly<Record<NamedCollection, string>> = {
  users: 'user',
  groups: 'group',
  systems: 'system',
  system_fields: 'field',
}

function referenceProblems(
  { fields }: ConfigSection,
  entry: ConfigEntry,
  path: ConfigPath,
  known: Readonly<Record<NamedCollection, ReadonlyMap<string, readonly string[]>>>,
): readonly ConfigProblem[] {
  return fields.flatMap(({ name, to }) => {
    const value = ownValue(entry, name)
    if (to === undefined || value === undefined) return []
    const texts = isJsonObject(value) ? Object.keys(value) : Array.isArray(value) ? textsIn(value) : [asText(value)]
    return texts.flatMap((text): ConfigProblem[] => {
      const count = known[to].get(text)?.length ?? 0
      if (count === 1) return []
      const message =
        count === 0 ? `there is no ${nouns[to]} ${JSON.stringify(text)}` : `${count} ${nouns[to]}s are called ${JSON.stringify(text)}`
      return [{ path: [...path, name], message }]
    })
  })
}
