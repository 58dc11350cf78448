import { getJson, keepSession, sendRequest } from './client.ts'
import { recordOf, textOf, type JsonRecord } from './json.ts'

/** What a person says of themselves. */
export type Profile = { readonly name: string }

export async function fetchProfile(userId: string, signal: AbortSignal): Promise<Profile> {
  const record = recordOf(await getJson(`/api/collections/users/records/${encodeURIComponent(userId)}`, signal))
  return { name: textOf(record['name']) ?? '' }
}

export const changeProfile = (profile: Profile): Promise<unknown> => sendRequest('POST', '/api/account/profile', profile)

/** Ends every other session; this one goes on with the token that comes back. */
export async function changePassword({ oldPassword, password }: { oldPassword: string; password: string }): Promise<void> {
  keepSession(await sendRequest('POST', '/api/account/password', { oldPassword, password, passwordConfirm: password }))
}

/** The settings stored with the account of the person signed in; empty if they never chose anything. The records API shows admins everybody's. */
export const fetchSettings = async (signal: AbortSignal): Promise<JsonRecord> =>
  recordOf(recordOf(await getJson('/api/account/settings', signal))['settings'])

type Addresses = { readonly emails?: readonly string[]; readonly webhooks?: readonly string[] }

/** A change of stored settings. `merge`: null takes a setting away. `add` and `remove`: single notification addresses. */
export type SettingsChange = { readonly merge?: JsonRecord; readonly add?: Addresses; readonly remove?: Addresses }

/** Changes what is stored at this moment, so that nothing another browser stored is lost. Returns what is stored then. */
export const changeSettings = async (change: SettingsChange): Promise<JsonRecord> =>
  recordOf(recordOf(await sendRequest('PATCH', '/api/account/settings', change))['settings'])
