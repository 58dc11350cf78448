import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import {
  changedProviders,
  knownProviders,
  loadProviders,
  type Provider,
  type ProviderSettings,
  storeProviders,
} from '../../../accounts/providers/providers.ts'
import { changedWays, loadSignIn, SIGN_IN_LOCK, type SignInSettings, storeSignIn } from '../../../accounts/sessions/sign-in-settings.ts'
import { isJsonObject } from '../../../platform/json.ts'
import { RecordError } from '../../../records/model/record-error.ts'
import { asText } from '../../../records/model/stored-record.ts'
import { noteInAudit } from '../../../records/writing/audit-log.ts'
import type { ForeignHub, TransferTarget } from '../foreign-hub.ts'
import { foreignJson, type ForeignRow, foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, present, type RowJudgement } from './rows/row-judgement.ts'

/**
 * Plan for the sign-in settings of an imported hub. `ways` (methods) and `providers` are those that this hub gets; `undefined` if its own
 * stay as they are.
 */
export type SignInPlan = {
  readonly judgedWays: readonly RowJudgement[]
  readonly judgedProviders: readonly RowJudgement[]
  readonly ways: SignInSettings | undefined
  readonly providers: ProviderSettings | undefined
  /** Names of the identity providers that have the same issuer and client id in both hubs, or that this import copies. */
  readonly sharedProviders: ReadonlySet<string>
}

const collectionNames = ['users', '_superusers'] as const

/**
 * Decides which sign-in methods and identity providers of the imported hub this hub gets. `sendsMail`: whether this hub will be able to
 * send one-time codes.
 */
export async function planSignIn(
  { database }: Pick<ForeignHub, 'database'>,
  target: TransferTarget,
  sendsMail: boolean,
): Promise<SignInPlan> {
  const rows = [...foreignRows(database, '_collections')]
  const optionsOf = (name: string): ForeignRow | undefined => rows.find((row) => foreignText(row, 'name') === name)
  const current = await loadSignIn(target.database.kysely)
  let ways: SignInSettings | undefined
  const judgedWays = collectionNames.flatMap((name): readonly RowJudgement[] => {
    const sent = waysIn(objectIn(foreignJson(optionsOf(name) ?? {}, 'options')))
    if (sent === undefined) return []
    const what = name === 'users' ? 'users' : 'superusers'
    if (isSame(current[name], sent)) return [present]
    if (!isStandard(current[name])) return [leftOut('this hub has its own', what)]
    try {
      ways = { ...(ways ?? current), [name]: changedWays(current[name], sent, sendsMail) }
      return [{ decision: 'taken', record: { id: what }, changes: [] }]
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      // Passwords that are off there must not be on here without a word.
      const stays = sent.passwordAuth.enabled ? '' : '; passwords work here: start the hub with --disable-password-auth true'
      return [leftOut(`this hub refuses them: ${messageIn(error.data).replace(/\.$/, '')}${stays}`, what)]
    }
  })
  const providers = await planProviders(optionsOf('users'), target)
  return { judgedWays, ways, ...providers }
}

const objectIn = (value: Json | undefined): JsonObject => (value !== undefined && isJsonObject(value) ? value : {})

/**
 * Converts the options of an imported collection of accounts (`users`, `_superusers`) to a request body that changes the sign-in methods.
 * `undefined` if all methods are on or off as by default; then nothing changes.
 */
function waysIn(options: JsonObject) {
  const [password, otp] = [objectIn(options['passwordAuth']), objectIn(options['otp'])]
  const [mfa, alert] = [objectIn(options['mfa']), objectIn(options['authAlert'])]
  const flags = {
    password: password['enabled'] !== false,
    otp: otp['enabled'] === true,
    mfa: mfa['enabled'] === true,
    alert: alert['enabled'] !== false,
  }
  if (flags.password && !flags.otp && !flags.mfa && flags.alert) return undefined
  const times = (part: JsonObject, names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (typeof ownValue(part, name) === 'number' ? [[name, ownValue(part, name)]] : [])))
  return {
    passwordAuth: { enabled: flags.password },
    otp: { ...times(otp, ['duration', 'length']), enabled: flags.otp },
    mfa: { ...times(mfa, ['duration']), enabled: flags.mfa },
    authAlert: { enabled: flags.alert },
  }
}

type SentWays = NonNullable<ReturnType<typeof waysIn>>
type Ways = SignInSettings['users']

const isSame = ({ password, otp, mfa, alert }: Ways, sent: SentWays): boolean =>
  password.enabled === sent.passwordAuth.enabled &&
  otp.enabled === sent.otp.enabled &&
  mfa.enabled === sent.mfa.enabled &&
  alert.enabled === sent.authAlert.enabled

const isStandard = ({ password, otp, mfa, alert }: Ways): boolean => password.enabled && !otp.enabled && !mfa.enabled && alert.enabled

/**
 * Returns the first error message in the nested result of a failed check of imported sign-in settings, for the preview; `''` if there is
 * none.
 */
function messageIn(errors: object): string {
  for (const value of Object.values(errors)) {
    if (typeof value !== 'object' || value === null) continue
    if ('message' in value && typeof value.message === 'string') return value.message
    const inner = messageIn(value)
    if (inner !== '') return inner
  }
  return ''
}

type ProvidersPlan = Pick<SignInPlan, 'judgedProviders' | 'providers' | 'sharedProviders'>

async function planProviders(users: ForeignRow | undefined, { database, secrets }: TransferTarget): Promise<ProvidersPlan> {
  const current = await loadProviders(database.kysely, secrets)
  const oauth2 = objectIn(objectIn(foreignJson(users ?? {}, 'options'))['oauth2'])
  const listed = Array.isArray(oauth2['providers']) ? oauth2['providers'].map(objectIn) : []
  const taken: Provider[] = []
  const shared = new Set<string>()
  const judgedProviders = listed.map((stored): RowJudgement => {
    const name = asText(stored['name'] ?? '')
    if (!knownProviders.some((known) => known.name === name)) return leftOut('this hub has no such identity provider', name)
    if (taken.some((one) => one.name === name)) return leftOut('it is listed twice', name)
    const { provider, change, problem } = providerOf(stored)
    if (provider === undefined) return leftOut(`this hub refuses it: ${problem}`, name)
    const before = current.providers.find((one) => one.name === name)
    const isShared = before === undefined || (before.issuer === provider.issuer && before.clientId === provider.clientId)
    if (isShared) shared.add(name)
    if (before !== undefined) return isShared ? present : leftOut('this hub has its own', name)
    taken.push(provider)
    return { decision: 'taken', record: { id: name }, changes: change === undefined ? [] : [{ reason: change, example: name }] }
  })
  const isNew = current.providers.length === 0
  // Only this rule lets a provider create accounts, and nobody else.
  const createsUsers = /^@request\.context\s*=\s*["']oauth2["']$/.test(foreignText(users ?? {}, 'createRule').trim())
  const providers: ProviderSettings = {
    enabled: isNew ? oauth2['enabled'] === true : current.enabled,
    createUsers: isNew ? createsUsers : current.createUsers,
    providers: [...current.providers, ...taken],
  }
  return { judgedProviders, providers: taken.length === 0 ? undefined : providers, sharedProviders: shared }
}

const KEYCLOAK = /\/protocol\/openid-connect\/auth$/

/**
 * Returns the OpenID Connect issuer (URL) of an imported identity provider: the stored one, or one computed from the URL of its sign-in
 * page (`isComputed`).
 */
function issuerOf({ authURL, authUrl, extra }: JsonObject): { readonly issuer: string; readonly isComputed: boolean } {
  const issuers = objectIn(extra)['issuers']
  const issuer = Array.isArray(issuers) ? issuers.find((one) => typeof one === 'string') : undefined
  if (issuer !== undefined) return { issuer, isComputed: false }
  const address = asText(authURL ?? authUrl ?? '')
  if (KEYCLOAK.test(address)) return { issuer: address.replace(KEYCLOAK, ''), isComputed: true }
  return { issuer: URL.canParse(address) ? new URL(address).origin : '', isComputed: true }
}

type FoundProvider = { readonly provider?: Provider; readonly change?: string; readonly problem?: string }

/**
 * Converts an imported identity provider, which stores its endpoints, to one of this hub, which discovers them from the issuer. Returns the
 * reason (text) if this hub cannot use it.
 */
function providerOf(stored: JsonObject): FoundProvider {
  const { issuer, isComputed } = issuerOf(stored)
  const isGuessed = asText(stored['name'] ?? '').startsWith('oidc') && isComputed
  try {
    const body = { providers: [{ ...stored, issuer: stored['name'] === 'google' ? '' : issuer }] }
    const [provider] = changedProviders({ enabled: false, createUsers: false, providers: [] }, body).providers
    if (provider === undefined) return { problem: 'it is empty' }
    return { provider, ...(isGuessed ? { change: `its issuer was computed: check ${provider.issuer}` } : {}) }
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    return { problem: messageIn(error.data) }
  }
}

/** Stores the sign-in methods and identity providers of an import plan in one transaction, with audit log entries. */
export async function saveSignIn(target: TransferTarget, { ways, providers }: SignInPlan): Promise<void> {
  if (ways === undefined && providers === undefined) return
  await target.database.write(async (unit) => {
    await unit.alone(SIGN_IN_LOCK)
    const note = (name: string) => noteInAudit(unit, target.clock.now(), { by: 'command line', action: 'update', target: 'settings', name })
    if (providers !== undefined) {
      await note('identity providers')
      await storeProviders(unit, target.secrets, providers)
    }
    if (ways !== undefined) {
      await note('ways to sign in')
      await storeSignIn(unit, ways)
    }
  })
}
