import { shownVersion } from '@vedette/protocol/wire/version'
import { getJson, sendRequest } from './client.ts'
import { recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'

/**
 * Public data of the hub. `publicKey` is the text line with the hub's SSH key that an agent's installation needs; `version` is the hub's
 * version for display, `undefined` when unknown.
 */
export type HubIdentity = { readonly publicKey: string; readonly version: string | undefined }

async function fetchHubIdentity(signal: AbortSignal): Promise<HubIdentity> {
  const { key, v } = recordOf(await sendRequest('POST', '/api/beszel/getkey', undefined, { signal }))
  const version = textOf(v)
  return { publicKey: textOf(key) ?? '', version: version === undefined ? undefined : shownVersion(version) }
}

export const hubIdentityQuery = serverQuery(keys.hubIdentity, fetchHubIdentity, { staleTime: Number.POSITIVE_INFINITY })

/**
 * First-run state of the hub: `isFirstRun` when no admin exists yet; `needsSetupCode` when creating one requires the code that the hub
 * printed at its start.
 */
export type FirstRun = { readonly isFirstRun: boolean; readonly needsSetupCode: boolean }

async function fetchFirstRun(signal: AbortSignal): Promise<FirstRun> {
  const { firstRun, setupCodeNeeded } = recordOf(await getJson('/api/beszel/first-run', signal))
  return { isFirstRun: firstRun === true, needsSetupCode: setupCodeNeeded === true }
}

export const firstRunQuery = serverQuery(keys.firstRun, fetchFirstRun, { staleTime: Number.POSITIVE_INFINITY })

export const createFirstAdmin = (account: { email: string; password: string; setupCode?: string }): Promise<unknown> =>
  sendRequest('POST', '/api/beszel/create-user', account)
