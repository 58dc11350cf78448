import { getJson, keepSession, sendRequest } from './client.ts'
import { recordOf, textOf, type JsonRecord } from './json.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import type { SettingsChange } from './settings-change.ts'

/** The profile that a person edits: their display name. */
export type Profile = { readonly name: string }

async function fetchProfile(userId: string, signal: AbortSignal): Promise<Profile> {
  const record = recordOf(await getJson(`/api/collections/users/records/${encodeURIComponent(userId)}`, signal))
  return { name: textOf(record['name']) ?? '' }
}

export const profileQuery = (userId: string) => serverQuery(keys.profile(userId), (signal) => fetchProfile(userId, signal))

export const changeProfile = (profile: Profile): Promise<unknown> => sendRequest('POST', '/api/account/profile', profile)

/** Ends every other session; this one goes on with the token that comes back. */
export async function changePassword({ oldPassword, password }: { oldPassword: string; password: string }): Promise<void> {
  keepSession(await sendRequest('POST', '/api/account/password', { oldPassword, password, passwordConfirm: password }))
}

/** The settings stored with the account of the person signed in; empty if they never chose anything. The records API shows admins everybody's. */
const fetchSettings = async (signal: AbortSignal): Promise<JsonRecord> =>
  recordOf(recordOf(await getJson('/api/account/settings', signal))['settings'])

export const settingsQuery = serverQuery(keys.settings, fetchSettings)

/** Changes what is stored at this moment, so that nothing another browser stored is lost. Returns what is stored then. */
export const changeSettings = async (change: SettingsChange): Promise<JsonRecord> =>
  recordOf(recordOf(await sendRequest('PATCH', '/api/account/settings', change))['settings'])
