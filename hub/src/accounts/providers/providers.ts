import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { loadState, saveState } from '../../platform/db/hub-state.ts'
import { blank } from '../../records/model/field-check.ts'
import { isJsonObject, parseJson } from '../../records/model/json-value.ts'
import { badRequest, type FieldError, type FieldErrors } from '../../records/model/record-error.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** Names that clients know, and how each provider is spoken to. */
const kinds = {
  oidc: { how: 'oidc', displayName: 'OIDC', issuer: '' },
  oidc2: { how: 'oidc', displayName: 'OIDC', issuer: '' },
  oidc3: { how: 'oidc', displayName: 'OIDC', issuer: '' },
  google: { how: 'oidc', displayName: 'Google', issuer: 'https://accounts.google.com' },
  github: { how: 'github', displayName: 'GitHub', issuer: 'https://github.com' },
} as const

export type ProviderName = keyof typeof kinds

/** Somebody who vouches for people. `issuer`: of OIDC the address below which it describes itself; of GitHub where it is. */
export type Provider = {
  readonly name: ProviderName
  readonly displayName: string
  readonly clientId: string
  readonly clientSecret: string
  readonly issuer: string
}

export type ProviderSettings = {
  readonly enabled: boolean
  /** Whether who is not known yet gets an account. */
  readonly createUsers: boolean
  readonly providers: readonly Provider[]
}

export type ProviderStore = {
  readonly load: () => Promise<ProviderSettings>
  /** `along` is done in the same transaction. */
  readonly save: (settings: ProviderSettings, along: (unit: UnitOfWork) => Promise<void>) => Promise<void>
}

export const howToAsk = (name: ProviderName): 'oidc' | 'github' => kinds[name].how

const STATE = 'providers'
const PLACE = 'providers.clientSecret'

/** Providers as the database has them, their secrets sealed. `createUsers` of the operator stands above that of admins. */
export function providerStore(database: Database, secrets: SecretBox, createUsers: boolean): ProviderStore {
  return {
    async load() {
      const text = await loadState(database.kysely, STATE)
      const stored = text === undefined ? null : parseJson(text)
      if (!isJsonObject(stored)) return { enabled: false, createUsers, providers: [] }
      const { providers = null, enabled } = stored
      const known = (Array.isArray(providers) ? providers : []).flatMap((one) => (isJsonObject(one) ? (read(one, secrets) ?? []) : []))
      return { enabled: enabled === true, createUsers: createUsers || stored['createUsers'] === true, providers: known }
    },
    async save(settings, along) {
      const providers = settings.providers.map((one) => ({ ...one, clientSecret: secrets.seal(PLACE, one.clientSecret) }))
      const value = JSON.stringify({ ...settings, providers })
      await database.write(async (unit) => {
        await along(unit)
        await saveState(unit.sql, STATE, value)
      })
    },
  }
}

function read(stored: JsonObject, secrets: SecretBox): Provider | undefined {
  const name = nameOf(stored['name'])
  if (name === undefined) return undefined
  return {
    name,
    displayName: textOf(stored, 'displayName'),
    clientId: textOf(stored, 'clientId'),
    clientSecret: secrets.open(PLACE, textOf(stored, 'clientSecret')),
    issuer: textOf(stored, 'issuer'),
  }
}

const nameOf = (name: Json | undefined): ProviderName | undefined => (Object.keys(kinds) as ProviderName[]).find((one) => one === name) // its own keys

function textOf(object: JsonObject, name: string): string {
  const value = ownValue(object, name)
  return typeof value === 'string' ? value.trim() : ''
}

/** As admins are shown them: without secrets. */
export function providersForm({ enabled, createUsers, providers }: ProviderSettings): JsonObject {
  return {
    enabled,
    createUsers,
    providers: providers.map(({ name, displayName, clientId, issuer }) => ({ name, displayName, clientId, issuer })),
  }
}

/** Which providers there can be. */
export const knownProviders = Object.entries(kinds).map(([name, { displayName }]) => ({ name, displayName, logo: '' }))

/** The providers after a change; a secret that is not sent stays. Throws 400 with what is wrong by its path. */
export function changedProviders(current: ProviderSettings, body: JsonObject): ProviderSettings {
  const { enabled = current.enabled, createUsers = current.createUsers, providers } = body
  const sent = providers === undefined ? undefined : Array.isArray(providers) ? providers : []
  const errors: { [at: string]: FieldErrors } = {}
  const next = sent?.map((one, at): Provider => {
    const form = isJsonObject(one) ? one : {}
    const name = nameOf(form['name'])
    const before = current.providers.find((known) => known.name === name)
    const provider: Provider = {
      name: name ?? 'oidc',
      displayName: textOf(form, 'displayName') || (name === undefined ? '' : kinds[name].displayName),
      clientId: textOf(form, 'clientId'),
      clientSecret: textOf(form, 'clientSecret') || (before?.clientSecret ?? ''),
      issuer: textOf(form, 'issuer').replace(/\/$/, '') || (name === undefined ? '' : kinds[name].issuer),
    }
    const isTwice = sent.findIndex((other) => isJsonObject(other) && other['name'] === form['name']) !== at
    const wrong = wrongWith(provider, name !== undefined && !isTwice)
    if (Object.keys(wrong).length > 0) errors[at] = wrong
    return provider
  })
  if (Object.keys(errors).length > 0) throw badRequest('Failed to update collection.', { oauth2: { providers: errors } })
  return { enabled: enabled === true, createUsers: createUsers === true, providers: next ?? current.providers }
}

function wrongWith({ clientId, clientSecret, issuer }: Provider, isNamed: boolean): Record<string, FieldError> {
  return {
    ...(isNamed ? {} : { name: { code: 'validation_invalid_provider', message: 'Must be a known provider, and each once.' } }),
    ...(clientId === '' ? { clientId: blank } : {}),
    ...(clientSecret === '' ? { clientSecret: blank } : {}),
    ...(isSafe(issuer) ? {} : { issuer: { code: 'validation_is_url', message: 'Must be an https address; http only on this machine.' } }),
  }
}

/** What provides who somebody is must not be asked where others listen in. */
function isSafe(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}
