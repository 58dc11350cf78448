import { clockNow } from '../format/clock.ts'
import { getJson, sendRequest } from './client.ts'
import { listOf, recordOf, textOf, timeOf } from './json.ts'
import { keys } from './keys.ts'
import { unreadable } from './request-failed.ts'
import { serverQuery } from './server-query.ts'

/** List of the scopes that an API key can have: `read`, `write`, and `ingest`, which only lets agents enrol as new systems. */
export const keyScopes = ['read', 'write', 'ingest'] as const
export type KeyScope = (typeof keyScopes)[number]

/** API key of the signed-in user as the settings list it, without the secret. Times are epoch ms. */
export type ApiKey = {
  readonly id: string
  readonly name: string
  /** Scope of the API key (`read`, `write` or `ingest`); `undefined` for a scope that only a newer hub knows. */
  readonly scope: KeyScope | undefined
  /**
   * Tags of the API key: it gives access only to systems with one of them. For the scope `ingest`, they are the tags that enrolled systems
   * get. Empty without tags.
   */
  readonly tags: readonly string[]
  /** Time at which the API key expires, in epoch ms; `undefined` when it never expires. */
  readonly expiresMs: number | undefined
  /** Time of a recent use of the API key, in epoch ms; the last use is at most 1 min later. `undefined` if it was never used. */
  readonly usedMs: number | undefined
}

/** Form values of a new API key: name, scope, tags that limit it, and `days` until it expires (`undefined` = never). */
export type NewApiKey = {
  readonly name: string
  readonly scope: KeyScope
  readonly tags: readonly string[]
  readonly days: number | undefined
}

const DAY_MS = 86_400_000

async function fetchApiKeys(signal: AbortSignal): Promise<readonly ApiKey[]> {
  return listOf(recordOf(await getJson('/api/account/api-keys', signal))['items']).map((item): ApiKey => {
    const { id, name, scope, tags, expires, used } = recordOf(item)
    return {
      id: textOf(id) ?? '',
      name: textOf(name) ?? '',
      scope: keyScopes.find((one) => one === scope),
      tags: listOf(tags).flatMap((tag) => textOf(tag) ?? []),
      expiresMs: timeOf(expires),
      usedMs: timeOf(used),
    }
  })
}

export const apiKeysQuery = serverQuery(keys.apiKeys, fetchApiKeys)

/**
 * Creates an API key at the hub and resolves with its secret text, which the hub never shows again. Rejects with RequestFailed, also
 * (`unreadable`) when the response has no secret.
 */
export async function createApiKey({ name, scope, tags, days }: NewApiKey): Promise<string> {
  const expires = days === undefined ? '' : new Date(clockNow() + days * DAY_MS).toISOString()
  const key = textOf(recordOf(await sendRequest('POST', '/api/account/api-keys', { name, scope, tags, expires }))['key'])
  if (key === undefined) throw unreadable()
  return key
}

export const revokeApiKey = (id: string): Promise<unknown> => sendRequest('DELETE', `/api/account/api-keys/${encodeURIComponent(id)}`)
