import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { loadState, saveFields } from '../../platform/db/hub-state.ts'
import { blank } from '../../records/model/field-check.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'
import { badRequest, type FieldError, type FieldErrors } from '../../records/model/record-error.ts'
import { readableSecret } from '../../platform/secrets/readable-secret.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { text } from '../../records/model/field-errors.ts'

/**
 * Map from the name of a supported identity provider in API requests, such as `oidc2` or `github`. Values: its protocol (`how`), display
 * name and standard issuer URL (`''` for none).
 */
const kinds = {
  oidc: { how: 'oidc', displayName: 'OIDC', issuer: '' },
  oidc2: { how: 'oidc', displayName: 'OIDC', issuer: '' },
  oidc3: { how: 'oidc', displayName: 'OIDC', issuer: '' },
  google: { how: 'oidc', displayName: 'Google', issuer: 'https://accounts.google.com' },
  github: { how: 'github', displayName: 'GitHub', issuer: 'https://github.com' },
} as const

export type ProviderName = keyof typeof kinds

/** Stored settings of an identity provider. `issuer` is the base URL of its discovery document (OpenID Connect), or the URL of GitHub. */
export type Provider = Readonly<z.infer<typeof storedForm>>

export type ProviderSettings = {
  readonly enabled: boolean
  /**
   * True when the first sign-in of a user at an identity provider creates an account. Stored settings have the admins' choice; after
   * `ProviderStore.load`, the operator's option counts too.
   */
  readonly createUsers: boolean
  readonly providers: readonly Provider[]
}

/**
 * Returns the identity providers that users can sign in at: none while sign-in at providers is disabled, and none without a client secret,
 * as after damage.
 */
export const usableProviders = ({ enabled, providers }: ProviderSettings): readonly Provider[] =>
  enabled ? providers.filter(({ clientSecret }) => clientSecret !== '') : []

export type ProviderStore = {
  readonly load: () => Promise<ProviderSettings>
  /** Returns stored settings of identity providers with the operator's option `createUsers` applied, as they are in force. */
  readonly effective: (stored: ProviderSettings) => ProviderSettings
}

export const howToAsk = (name: ProviderName): 'oidc' | 'github' => kinds[name].how

/**
 * Returns the name of the claim that lists a person's groups, `groups` unless admins set another one. `undefined` for GitHub, which has no
 * claims.
 */
export const groupsClaimOf = ({ name, groupsClaim }: Provider): string | undefined =>
  howToAsk(name) === 'oidc' ? groupsClaim || 'groups' : undefined

const LONGEST_CLAIM_NAME = 255
const STATE = 'providers'
const PLACE = 'providers.clientSecret'

/**
 * Loads the settings of identity providers as admins stored them, without the operator's option. `sql`: database or transaction. A client
 * secret that is damaged, or was encrypted with another key, is `''`.
 */
export async function loadProviders(sql: Database['kysely'], secrets: SecretBox): Promise<ProviderSettings> {
  const text = await loadState(sql, STATE)
  const stored = text === undefined ? null : parseJson(text)
  const { enabled, createUsers, providers } = isJsonObject(stored) ? stored : {}
  const known = (Array.isArray(providers) ? providers : []).flatMap((one) => storedForm.safeParse(one).data ?? [])
  return {
    enabled: enabled === true,
    createUsers: createUsers === true,
    providers: known.map((one) => ({ ...one, clientSecret: readableSecret(secrets, PLACE, one.clientSecret) })),
  }
}

/**
 * Stores the settings of all identity providers in the transaction `unit`, with encrypted client secrets. Earlier ones are replaced, except
 * those that only a newer hub can read.
 */
export async function storeProviders(unit: UnitOfWork, secrets: SecretBox, settings: ProviderSettings): Promise<void> {
  const providers = settings.providers.map((one) => ({ ...one, clientSecret: secrets.seal(PLACE, one.clientSecret) }))
  const newer = unknownProviders(await loadState(unit.sql, STATE))
  await saveFields(unit.sql, STATE, { ...settings, providers: [...providers, ...newer] })
}

/**
 * Creates the functions that load the settings of identity providers from the database, with encrypted client secrets. If the
 * operator's option `createUsers` is true, it overrides the admins' setting.
 */
export function providerStore(database: Database, secrets: SecretBox, createUsers: boolean): ProviderStore {
  const effective = (stored: ProviderSettings): ProviderSettings => ({ ...stored, createUsers: createUsers || stored.createUsers })
  return {
    load: async () => effective(await loadProviders(database.kysely, secrets)),
    effective,
  }
}

const trimmed = text().transform((value) => value.trim())
/** Names of the supported identity providers in requests and configuration files, such as `oidc2`. */
export const providerNames = Object.keys(kinds) as ProviderName[] // these are the keys of `kinds`
const name = z.enum(providerNames)
const storedForm = z.object({ name, displayName: trimmed, clientId: trimmed, clientSecret: trimmed, issuer: trimmed, groupsClaim: trimmed })
const sentForm = z.object({ ...storedForm.shape, name: name.optional().catch(undefined) })

/**
 * Returns the stored settings (JSON) of those identity providers that this version cannot read, since a newer hub wrote them. They are
 * stored again with each save.
 */
function unknownProviders(text: string | undefined): readonly Json[] {
  const stored = text === undefined ? null : parseJson(text)
  const providers = isJsonObject(stored) ? stored['providers'] : []
  return (Array.isArray(providers) ? providers : []).filter((one) => !storedForm.safeParse(one).success)
}

/** Returns the provider settings as a JSON object for admins' forms, without client secrets. */
export function providersForm({ enabled, createUsers, providers }: ProviderSettings) {
  return {
    enabled,
    createUsers,
    providers: providers.map((provider) => {
      const { name, displayName, clientId, issuer } = provider
      const groupsClaim = groupsClaimOf(provider)
      return { name, displayName, clientId, issuer, ...(groupsClaim !== undefined && { groupsClaim }) }
    }),
  }
}

/** List of all identity providers that admins can configure: name, display name and an empty `logo`. */
export const knownProviders = Object.entries(kinds).map(([name, { displayName }]) => ({ name, displayName, logo: '' }))

/**
 * Returns the provider settings after an admin's change in a request body. Its `providers` replace all stored ones, and a value that is no
 * list removes them. A client secret that is missing in the body stays. Throws 400 with errors by index and field, below
 * `oauth2.providers`.
 */
export function changedProviders(current: ProviderSettings, body: JsonObject): ProviderSettings {
  const { enabled = current.enabled, createUsers = current.createUsers, providers } = body
  const sent = providers === undefined ? undefined : Array.isArray(providers) ? providers : []
  const errors: { [at: string]: FieldErrors } = {}
  const next = sent?.map((one, at): Provider => {
    const form = sentForm.parse(isJsonObject(one) ? one : {})
    const provider = providerOf(form, current)
    const isTwice = sent.findIndex((other) => isJsonObject(other) && other['name'] === form.name) !== at
    const wrong = wrongWith(provider, form.name !== undefined && !isTwice)
    if (Object.keys(wrong).length > 0) errors[at] = wrong
    return provider
  })
  if (Object.keys(errors).length > 0) throw badRequest('Failed to update collection.', { oauth2: { providers: errors } })
  return { enabled: enabled === true, createUsers: createUsers === true, providers: next ?? current.providers }
}

function providerOf({ name: sentName, ...form }: z.infer<typeof sentForm>, current: ProviderSettings): Provider {
  const standard = sentName === undefined ? { displayName: '', issuer: '' } : kinds[sentName]
  const before = current.providers.find((known) => known.name === sentName)
  return {
    name: sentName ?? 'oidc',
    displayName: form.displayName || standard.displayName,
    clientId: form.clientId,
    clientSecret: form.clientSecret || (before?.clientSecret ?? ''),
    groupsClaim: howToAsk(sentName ?? 'oidc') === 'oidc' ? form.groupsClaim : '',
    issuer: form.issuer.replace(/\/$/, '') || standard.issuer,
  }
}

const tooLong: FieldError = {
  code: 'validation_max_text_constraint',
  message: `Must be no more than ${LONGEST_CLAIM_NAME} character(s).`,
}

function wrongWith({ clientId, clientSecret, issuer, groupsClaim }: Provider, isNamed: boolean): Record<string, FieldError> {
  return {
    ...(isNamed ? {} : { name: { code: 'validation_invalid_provider', message: 'Must be a known provider, and each once.' } }),
    ...(clientId === '' ? { clientId: blank } : {}),
    ...(groupsClaim.length > LONGEST_CLAIM_NAME ? { groupsClaim: tooLong } : {}),
    ...(clientSecret === '' ? { clientSecret: blank } : {}),
    ...(isSafe(issuer) ? {} : { issuer: { code: 'validation_is_url', message: 'Must be an https address; http only on this machine.' } }),
  }
}

/** Returns true if a provider's URL is safe for sending secrets: with https, or with http to this machine (`localhost`). */
function isSafe(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}
