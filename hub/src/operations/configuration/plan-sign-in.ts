import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { ownValue } from '@vedette/protocol/own-value'
import { changedProviders, providersForm, storeProviders, type ProviderSettings } from '../../accounts/providers/providers.ts'
import { endSessionsWithoutFactor } from '../../accounts/required-factors.ts'
import { changedWays, storeSignIn, type SignInCollection, type SignInWays } from '../../accounts/sessions/sign-in-settings.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { isJsonObject } from '../../platform/json.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { RecordError, type FieldErrors } from '../../records/model/record-error.ts'
import { changesBetween, noteInAudit, type Changes } from '../../records/writing/audit-log.ts'
import { problemsIn, type ConfigPath, type ConfigProblem } from './config-problem.ts'
import type { SettingDifference } from './config-settings.ts'
import { configWays, type ConfigProvider, type ConfigSignIn, type StoredSignIn } from './config-sign-in.ts'

/**
 * Result of comparing the ways to sign in in a configuration file with the stored ones. It has the ways `before` and `after` the change,
 * the differences, and the errors in the file. `untouched` is the number of stored identity providers that the file lacks and that stay.
 */
export type ConfigSignInPlan = {
  readonly before: StoredSignIn
  readonly after: StoredSignIn
  readonly differences: readonly SettingDifference[]
  readonly problems: readonly ConfigProblem[]
  readonly untouched: number
}

/**
 * Options of planning a change of the ways to sign in. `deletesMissing`: identity providers that the file lacks are deleted. `sendsMail`:
 * the hub can send email after the change.
 */
export type SignInCircumstances = { readonly deletesMissing: boolean; readonly sendsMail: boolean }

/**
 * Compares the ways to sign in in a configuration file with the stored ones, with the same checks as the API, and returns the plan. Changes
 * nothing.
 */
export function planConfigSignIn(
  before: StoredSignIn,
  file: ConfigSignIn,
  { deletesMissing, sendsMail }: SignInCircumstances,
): ConfigSignInPlan {
  const users = planWays(before.ways.users, file.users, { sendsMail, path: ['signIn', 'users'] })
  const admins = planWays(before.ways._superusers, file.admins, { sendsMail, path: ['signIn', 'admins'] })
  const oauth2 = planProviders(before.oauth2, file, deletesMissing)
  const parts = [users, admins, oauth2]
  return {
    before,
    after: { ways: { users: users.after, _superusers: admins.after }, oauth2: oauth2.after },
    differences: parts.flatMap(({ differences }) => differences),
    problems: parts.flatMap(({ problems }) => problems),
    untouched: oauth2.untouched,
  }
}

type PartPlan<Settings> = {
  readonly after: Settings
  readonly differences: readonly SettingDifference[]
  readonly problems: readonly ConfigProblem[]
}

function planWays(
  before: SignInWays,
  file: JsonObject | undefined,
  { sendsMail, path }: { readonly sendsMail: boolean; readonly path: ConfigPath },
): PartPlan<SignInWays> {
  if (file === undefined) return { after: before, differences: [], problems: [] }
  try {
    const after = changedWays(before, file, sendsMail)
    return { after, differences: leafDifferences(path, configWays(before), configWays(after)), problems: [] }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    return { after: before, differences: [], problems: problemsIn(error.data, path) }
  }
}

/**
 * Path `signIn.providers` of the list of identity providers in a configuration file, as list of names. Errors about providers begin with
 * it.
 */
const LIST: ConfigPath = ['signIn', 'providers']

function planProviders(
  before: ProviderSettings,
  { oauth2, providers }: ConfigSignIn,
  deletesMissing: boolean,
): PartPlan<ProviderSettings> & { readonly untouched: number } {
  // Stored providers are not checked then: one with an unreadable secret must not block other parts of the file.
  if (oauth2 === undefined && providers === undefined)
    return { after: before, differences: [], problems: [], untouched: before.providers.length }
  const listed = providers ?? []
  const places = new Map(listed.toReversed().map(({ name }, at) => [name, listed.length - 1 - at]))
  const repeated = listed.flatMap(({ name }, at): ConfigProblem[] => {
    const first = places.get(name) ?? at
    return first === at ? [] : [{ path: [...LIST, at, 'name'], message: `${JSON.stringify(name)} is already signIn.providers[${first}]` }]
  })
  const missing = before.providers.filter(({ name }) => !places.has(name))
  const isDeleted = deletesMissing && providers !== undefined
  const untouched = isDeleted ? 0 : missing.length
  if (repeated.length > 0) return { after: before, differences: [], problems: repeated, untouched }
  const sent = providersToSend(before, listed, { keepsOrder: !isDeleted && missing.length > 0, isDeleted })
  try {
    const after = changedProviders(before, { ...oauth2, providers: sent })
    return { after, differences: providerDifferences(before, after), problems: [], untouched }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    return { after: before, differences: [], problems: providerProblems(error, sent, places), untouched }
  }
}

/**
 * Returns the list of identity providers to store: for each, the file's values take precedence over stored ones. With `keepsOrder`, stored
 * providers stay in their order and new ones follow. Otherwise the list has only the file's providers.
 */
function providersToSend(
  before: ProviderSettings,
  listed: readonly ConfigProvider[],
  { keepsOrder, isDeleted }: { readonly keepsOrder: boolean; readonly isDeleted: boolean },
): readonly ConfigProvider[] {
  const stored = new Map<string, ConfigProvider>(providersForm(before).providers.map((provider) => [provider.name, provider]))
  const merged = new Map(listed.map((provider) => [provider.name, { ...stored.get(provider.name), ...provider }]))
  if (isDeleted || !keepsOrder) return [...merged.values()]
  const kept = [...stored.values()].map((provider) => merged.get(provider.name) ?? provider)
  return [...kept, ...[...merged.values()].filter(({ name }) => !stored.has(name))]
}

function providerProblems(
  { data }: RecordError,
  sent: readonly ConfigProvider[],
  places: ReadonlyMap<string, number>,
): readonly ConfigProblem[] {
  const { providers = {} } = (ownValue(data, 'oauth2') ?? {}) as { readonly providers?: FieldErrors } // the only errors of this change
  return Object.entries(providers).flatMap(([at, errors]) => {
    const place = places.get(sent[Number(at)]?.name ?? '')
    return problemsIn(errors as FieldErrors, place === undefined ? LIST : [...LIST, place]) // errors by field of a provider
  })
}

function providerDifferences(before: ProviderSettings, after: ProviderSettings): readonly SettingDifference[] {
  const [was, is] = [providersForm(before), providersForm(after)]
  const switches = leafDifferences(
    ['signIn', 'oauth2'],
    { enabled: was.enabled, createUsers: was.createUsers },
    { enabled: is.enabled, createUsers: is.createUsers },
  )
  const known = new Map(was.providers.map((provider, at) => [provider.name, { ...provider, secret: before.providers[at]?.clientSecret }]))
  const kept = is.providers.filter(({ name }) => known.has(name)).map(({ name }) => name)
  const removed = was.providers.map(({ name }) => name).filter((name) => !kept.includes(name))
  const order = was.providers.map(({ name }) => name).filter((name) => kept.includes(name))
  return [
    ...switches,
    ...removed.map((name): SettingDifference => ({ path: [...LIST, name], before: name, after: undefined, isSecret: false })),
    ...(order.join() === kept.join() ? [] : [{ path: LIST, before: order, after: kept, isSecret: false }]),
    ...is.providers.flatMap(({ name, ...fields }, at): readonly SettingDifference[] => {
      const path = [...LIST, name]
      const { secret, name: _name, ...others } = known.get(name) ?? { secret: undefined, name }
      if (!known.has(name)) return [{ path, before: undefined, after: fields, isSecret: false }]
      const isChanged = secret !== after.providers[at]?.clientSecret
      const masked: SettingDifference = { path: [...path, 'clientSecret'], before: '***', after: '***', isSecret: true }
      return [...leafDifferences(path, others, fields), ...(isChanged ? [masked] : [])]
    }),
  ]
}

function leafDifferences(path: ConfigPath, before: JsonObject, after: JsonObject): readonly SettingDifference[] {
  return Object.entries(after).flatMap(([name, value]): readonly SettingDifference[] => {
    const known = ownValue(before, name) ?? ''
    const inner = [...path, name]
    if (isJsonObject(value) && isJsonObject(known)) return leafDifferences(inner, known, value)
    return JSON.stringify(known) === JSON.stringify(value) ? [] : [{ path: inner, before: known, after: value, isSecret: false }]
  })
}

/**
 * Stores the ways to sign in of a plan in a transaction, with audit log entries. A second factor that becomes required ends the sessions of
 * people without one. Resolves to the errors of the configuration file; if there are any, the transaction must be rolled back.
 */
export async function applySignIn(
  engine: Engine,
  unit: UnitOfWork,
  { before, after, differences }: ConfigSignInPlan,
): Promise<readonly ConfigProblem[]> {
  for (const [part, collection] of doors) {
    const [was, is] = [before.ways[collection], after.ways[collection]]
    const isNew = is.secondFactor.required && !was.secondFactor.required
    const refusal = isNew ? await requireFactor(engine, unit, collection) : undefined
    if (refusal !== undefined) return [{ path: ['signIn', part, 'secondFactor', 'required'], message: refusal.message }]
    await noteInSignIn(
      engine,
      unit,
      collection,
      changesBetween(configWays(was), configWays(is), () => false),
    )
  }
  await noteInSignIn(engine, unit, 'users', {
    ...changesBetween({ oauth2: providersForm(before.oauth2) }, { oauth2: providersForm(after.oauth2) }, () => false),
    ...Object.fromEntries(
      differences.filter(({ isSecret }) => isSecret).map(({ path }) => [path.slice(1).join('.'), ['***', '***'] as const]),
    ),
  })
  // A part without a difference is not stored: its secrets may be unreadable here.
  const changed = new Set(differences.map(({ path }) => path[1]))
  if (changed.has('users') || changed.has('admins')) await storeSignIn(unit, after.ways)
  if (changed.has('oauth2') || changed.has('providers')) await storeProviders(unit, engine.secrets, after.oauth2)
  return []
}

async function requireFactor(engine: Engine, unit: UnitOfWork, collection: SignInCollection): Promise<RecordError | undefined> {
  try {
    await endSessionsWithoutFactor(engine, unit, 'command line', collection === '_superusers')
    return undefined
  } catch (error) {
    if (error instanceof RecordError) return error
    throw error
  }
}

const doors = [
  ['users', 'users'],
  ['admins', '_superusers'],
] as const satisfies readonly (readonly [part: string, collection: SignInCollection])[]

async function noteInSignIn({ clock }: Engine, unit: UnitOfWork, name: SignInCollection, changes: Changes): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await noteInAudit(unit, clock.now(), { by: 'command line', action: 'update', target: 'sign-in', name, changes })
}
