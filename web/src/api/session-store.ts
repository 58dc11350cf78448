import { BaseAuthStore, type RecordModel } from 'pocketbase'
import { readStored } from '../preferences/stored-text.ts'
import { recordOf, textOf } from './json.ts'

/** Where the SDK keeps the session by default. */
const KEY = 'pocketbase_auth'
const PROBE_KEY = 'ui-probe'
/** More than a session takes. */
const PROBE_TEXT = ' '.repeat(4_000)

/**
 * Holds the session in this page where the browser's storage is full or forbidden, which the SDK's own store does not survive; it begins
 * with the stored one where that can be read. `undefined`: the SDK's own will do.
 */
export function sessionStore(): BaseAuthStore | undefined {
  if (isStorageUsable()) return undefined
  const store = new BaseAuthStore()
  try {
    const { token, record } = recordOf(JSON.parse(readStored(KEY) ?? '{}'))
    if (textOf(token) !== undefined) store.save(textOf(token) ?? '', recordOf(record) as RecordModel) // the SDK wrote it
  } catch {
    // Another program wrote it: nobody is signed in.
  }
  return store
}

function isStorageUsable(): boolean {
  try {
    localStorage.setItem(PROBE_KEY, PROBE_TEXT)
    localStorage.removeItem(PROBE_KEY)
    return true
  } catch {
    // Full or forbidden.
    return false
  }
}
