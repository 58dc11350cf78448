import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { ACCESS } from '../../accounts/groups/granted-tags.ts'
import { SIGN_IN_LOCK } from '../../accounts/sessions/sign-in-settings.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { isJsonObject } from '../../platform/json.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { RequestFacts } from '../../records/filter/filter-names.ts'
import type { Collection } from '../../records/model/collection.ts'
import { RecordError, type FieldError, type FieldErrors } from '../../records/model/record-error.ts'
import type { RecordValues } from '../../records/model/record-store.ts'
import { asText, type StoredRecord } from '../../records/model/stored-record.ts'
import { prepareCreate, prepareDelete, prepareUpdate } from '../../records/writing/write.ts'
import { pathText, type ConfigProblem } from './config-problem.ts'
import { titleOf, type ConfigField, type ConfigSection } from './config-section.ts'
import { textsIn } from './config-fields.ts'
import { resolveSecrets, type SecretSource } from './config-secrets.ts'
import { applySettings } from './config-settings.ts'
import { parseConfig, refusalOf } from './config-text.ts'
import { planConfig, type ConfigChange, type ConfigPlan, type FieldDifference, type NamedIds } from './plan-config.ts'
import { applySignIn } from './plan-sign-in.ts'
import { loadConfig } from './stored-config.ts'

export type ApplyOptions = {
  /** True for a dry run: the configuration file is checked completely and nothing is written. */
  readonly isDryRun: boolean
  /**
   * True to delete stored records and identity providers that the configuration file lacks, in the sections that are present in the file.
   * Sections with `isNeverDeleted` are excepted.
   */
  readonly deletesMissing: boolean
  readonly secrets: SecretSource
}

/**
 * Name (`apply config`) of the database lock that is held while a configuration file is applied. It prevents that two are applied at once.
 */
const APPLY = 'apply config'

/**
 * Record that the audit log gives as author of changes by the command `vedette apply config`: an admin named `command line`, who has no
 * account.
 */
const author: StoredRecord = { id: '', email: 'command line', role: 'admin', verified: true }

/**
 * Applies the text of a configuration file in one transaction, with the checks of the records API, and resolves to the changes. Rejects
 * with a `ConfigRefusedError` with all errors that the first failing step found (form, references, or writes); nothing has changed then. A
 * dry run makes the same changes and rolls them back.
 */
export async function applyConfig(
  requested: Engine,
  text: string,
  { isDryRun, deletesMissing, secrets }: ApplyOptions,
): Promise<ConfigPlan> {
  const { config: written, lineOf } = parseConfig(text)
  const { config, problems: missing } = resolveSecrets(written, secrets)
  // One hash of a random text for all new accounts: nobody knows the text, and hashing must not delay the transaction.
  const unknownPassword = ownValue(config, 'users') === undefined ? '' : await requested.hashPassword(randomId(40))
  const engine: Engine = { ...requested, hashPassword: async () => unknownPassword }
  const newId = (section: ConfigSection): string => collectionOf(engine, section.collection).idForm.generate()
  let plan: ConfigPlan | undefined
  try {
    return await engine.database.write(async (unit) => {
      await unit.alone(APPLY)
      await unit.alone(ACCESS)
      await unit.alone(SIGN_IN_LOCK)
      plan = planConfig(await loadConfig(engine, unit), config, { deletesMissing, newId })
      const refused = [...missing, ...plan.problems.filter(({ path }) => !missing.some((one) => pathText(one.path) === pathText(path)))]
      if (refused.length > 0) throw refusalOf(refused, lineOf)
      // The ways to sign in come first: the settings check whether they need the mail server.
      const problems = [
        ...(await applySignIn(engine, unit, plan.signIn)),
        ...(await applySettings(engine, unit, plan.settings)),
        ...(await makeChanges(engine, unit, plan)),
      ]
      if (problems.length > 0) throw refusalOf(problems, lineOf)
      if (isDryRun) throw new RolledBack()
      return plan
    })
  } catch (error) {
    if (!(error instanceof RolledBack) || plan === undefined) throw error
    return plan
  }
}

/**
 * Error that a dry run of `vedette apply config` throws at the end of its transaction, so that all changes are rolled back. The caller
 * catches it.
 */
class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

/**
 * Makes all changes of a configuration plan in a transaction, with the checks of the records API. Resolves to a list with an error for each
 * refused change; the caller then rolls the transaction back.
 */
async function makeChanges(engine: Engine, unit: UnitOfWork, { changes, ids }: ConfigPlan): Promise<readonly ConfigProblem[]> {
  const problems: ConfigProblem[] = []
  for (const change of changes) {
    try {
      await makeChange(engine, unit, change, ids)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      problems.push(...problemsOf(change, error))
    }
  }
  return problems
}

async function makeChange(engine: Engine, unit: UnitOfWork, change: ConfigChange, ids: NamedIds): Promise<void> {
  const { action, section, id, differences } = change
  const collection = collectionOf(engine, section.collection)
  if (action === 'delete') return prepareDelete(engine, collection, factsOf('DELETE'), id)(unit)
  if (action === 'update') return updateWith(engine, unit, { collection, id }, { differences, ids })
  const [joined] = section.isJoined === true ? await engine.store.loadWhere(collection.name, bodyOf(keysOf(change), ids), unit) : []
  if (joined !== undefined) return updateWith(engine, unit, { collection, id: joined.id }, { differences: withoutKeys(change), ids })
  const atOnce = differences.filter(({ field }) => field.isSetLater !== true)
  const later = differences.filter(({ field, after }) => field.isSetLater === true && after !== false)
  const create = await prepareCreate(engine, collection, factsOf('POST', { id, ...section.newValues?.(), ...bodyOf(atOnce, ids) }))
  await create(unit)
  for (const [name, body] of Object.entries(section.companions?.(id) ?? {}))
    await (
      await prepareCreate(engine, collectionOf(engine, name), factsOf('POST', body))
    )(unit)
  if (later.length > 0) await updateWith(engine, unit, { collection, id }, { differences: later, ids })
}

const keysOf = ({ section, differences }: ConfigChange) => differences.filter(({ field }) => section.key.includes(field.name))
const withoutKeys = ({ section, differences }: ConfigChange) => differences.filter(({ field }) => !section.key.includes(field.name))

type Target = { readonly collection: Collection; readonly id: string }

type Update = { readonly differences: readonly FieldDifference[]; readonly ids: NamedIds }

async function updateWith(engine: Engine, unit: UnitOfWork, { collection, id }: Target, { differences, ids }: Update): Promise<void> {
  const inside = differences.filter(({ field }) => field.within !== undefined)
  const record = inside.length === 0 ? undefined : await engine.store.loadToChange(collection.name, id, unit)
  const others = differences.filter(({ field }) => field.within === undefined)
  const body = { ...bodyOf(others, ids), ...(record !== undefined && membersOf(record, inside)) }
  const update = await prepareUpdate(engine, collection, factsOf('PATCH', body), id)
  await update(unit)
}

/**
 * Returns new values for the JSON fields of a record, such as `settings`, in which a configuration file changes single members. Members
 * without an entry in `differences` keep the values that `record` has.
 */
const membersOf = (record: StoredRecord, differences: readonly FieldDifference[]): RecordValues =>
  Object.fromEntries(
    [...Map.groupBy(differences, ({ field }) => field.within ?? '')].map(([name, changes]) => {
      const stored = ownValue(record, name)
      const members = new Map(isJsonObject(stored) ? Object.entries(stored) : [])
      for (const { field, after } of changes) {
        const member = field.recordField ?? field.name
        const value = field.toMember === undefined ? after : field.toMember(after)
        if (value === undefined) members.delete(member)
        else members.set(member, value)
      }
      return [name, Object.fromEntries(members)]
    }),
  )

const factsOf = (method: string, body?: RecordValues): RequestFacts => ({
  actor: author,
  context: 'default',
  method,
  query: {},
  headers: {},
  ...(body !== undefined && { body }),
})

/**
 * Returns the body of a records API request that stores differences between configuration file and record: an object from field name to new
 * value. `ids` maps names of referenced records to their ids.
 */
const bodyOf = (differences: readonly FieldDifference[], ids: NamedIds): RecordValues =>
  Object.fromEntries(differences.flatMap(({ field, before, after }) => Object.entries(valuesOf(field, { before, after }, ids))))

function valuesOf(field: ConfigField, { before, after }: Pick<FieldDifference, 'before' | 'after'>, ids: NamedIds): RecordValues {
  if (field.write !== undefined) return field.write(after, before)
  return { [field.recordField ?? field.name]: field.to === undefined ? after : idsFor(ids[field.to], after) }
}

function idsFor(ids: ReadonlyMap<string, string>, value: Json): Json {
  const idOf = (name: string): string => ids.get(name) ?? ''
  if (Array.isArray(value)) return textsIn(value).map(idOf)
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [idOf(name), one])) : idOf(asText(value))
}

function problemsOf({ section, path, entry, action }: ConfigChange, error: RecordError): readonly ConfigProblem[] {
  const fields = Object.entries(error.data)
  if (fields.length === 0 || action === 'delete') return [{ path, message: `${titleOf(section, entry)}: ${error.message}` }]
  return fields.map(([name, fieldError]) => {
    const field = section.fields.find((one) => (one.recordField ?? one.name) === name)
    return { path: [...path, field?.name ?? name], message: messageOf(fieldError) }
  })
}

const messageOf = (error: FieldError | FieldErrors): string => (typeof error['message'] === 'string' ? error['message'] : 'is refused')

function collectionOf({ collections }: Engine, name: string): Collection {
  const collection = collections.find(name)
  if (collection === undefined) throw new RangeError(`Cannot find the collection "${name}"`)
  return collection
}
