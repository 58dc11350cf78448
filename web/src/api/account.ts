import { getJson, keepSession, sendRequest } from './client.ts'
import { recordOf, textOf, type JsonRecord } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import type { SettingsChange } from './settings-change.ts'

/** Profile of the signed-in user's account, which the user may edit: `name` is the display name, empty when none is set. */
export type Profile = { readonly name: string }

async function fetchProfile(userId: string, signal: AbortSignal): Promise<Profile> {
  const record = recordOf(await getJson(`/api/collections/users/records/${encodeURIComponent(userId)}`, signal))
  return { name: textOf(record['name']) ?? '' }
}

export const profileQuery = (userId: string) => serverQuery(keys.profile(userId), (signal) => fetchProfile(userId, signal))

export const changeProfile = (profile: Profile): Promise<unknown> => sendRequest('POST', '/api/account/profile', profile)

/**
 * Changes the signed-in user's password at the hub. The hub ends all other sessions of the user; this page's session gets a new token,
 * which is stored. Rejects with RequestFailed for a wrong old password.
 */
export async function changePassword({ oldPassword, password }: { oldPassword: string; password: string }): Promise<void> {
  keepSession(await sendRequest('POST', '/api/account/password', { oldPassword, password, passwordConfirm: password }))
}

/**
 * Resolves with the signed-in user's stored settings (units, layout, notifications and so on) as a JSON object; empty when none are stored.
 * It does not use the records API, which returns the settings of all users to admins.
 */
const fetchSettings = async (signal: AbortSignal): Promise<JsonRecord> =>
  recordOf(recordOf(await getJson('/api/account/settings', signal))['settings'])

export const settingsQuery = serverQuery(keys.settings, fetchSettings)

/**
 * Sends a change of the signed-in user's settings as a PATCH request; the hub merges it into the stored ones. Resolves to the settings
 * after the change.
 */
export const changeSettings = async (change: SettingsChange): Promise<JsonRecord> =>
  recordOf(recordOf(await sendRequest('PATCH', '/api/account/settings', change))['settings'])
