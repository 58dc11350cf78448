import { createRecord, keepSession, listRecords, sendRequest, updateRecord } from './client.ts'
import { recordOf, textOf, type JsonRecord } from './json.ts'

/** What a person says of themselves. */
export type Profile = { readonly name: string }

export async function fetchProfile(userId: string): Promise<Profile> {
  const record = recordOf(await sendRequest('GET', `/api/collections/users/records/${encodeURIComponent(userId)}`))
  return { name: textOf(record['name']) ?? '' }
}

export const changeProfile = (profile: Profile): Promise<unknown> => sendRequest('POST', '/api/account/profile', profile)

/** Ends every other session; this one goes on with the token that comes back. */
export async function changePassword({ oldPassword, password }: { oldPassword: string; password: string }): Promise<void> {
  keepSession(await sendRequest('POST', '/api/account/password', { oldPassword, password, passwordConfirm: password }))
}

type StoredRecord = { readonly id: string; readonly settings: JsonRecord }

async function findSettings(): Promise<StoredRecord | undefined> {
  // A hub shows a person no record but their own.
  const [record] = await listRecords('user_settings', { fields: 'id,settings' })
  const id = textOf(record?.['id'])
  return id === undefined ? undefined : { id, settings: recordOf(record?.['settings']) }
}

/** What is stored with the account of the person signed in; nothing for who never chose anything. */
export const fetchSettings = async (): Promise<JsonRecord> => (await findSettings())?.settings ?? {}

/** Changes what is stored, from what stands there now: other clients write there as well. Gives what is stored then. */
export async function changeSettings(userId: string, change: (stored: JsonRecord) => JsonRecord): Promise<JsonRecord> {
  // A new record keeps little of what it is sent with: it is made first, and written then.
  const { id, settings } = (await findSettings()) ?? (await createSettings(userId))
  return recordOf((await updateRecord('user_settings', id, { settings: change(settings) }))['settings'])
}

async function createSettings(userId: string): Promise<StoredRecord> {
  const record = await createRecord('user_settings', { user: userId, settings: {} })
  return { id: textOf(record['id']) ?? '', settings: recordOf(record['settings']) }
}
