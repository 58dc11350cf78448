import { BaseAuthStore } from 'pocketbase'

/** Name of the localStorage key, `pocketbase_auth`, under which the PocketBase SDK stores the session. */
const STORAGE_KEY = 'pocketbase_auth'

/**
 * Creates an in-memory auth store for the PocketBase SDK when localStorage is full or forbidden. It contains the stored session if that can
 * be read. Returns `undefined` when the SDK's default store works.
 */
export function sessionStore(): BaseAuthStore | undefined {
  try {
    // About the size of a stored session.
    localStorage.setItem('ui-probe', ' '.repeat(4_000))
    localStorage.removeItem('ui-probe')
    return undefined
  } catch {
    const store = new BaseAuthStore()
    try {
      const { token, record } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '') as BaseAuthStore // the SDK wrote it
      store.save(token, record)
    } catch {
      // Nothing can be read: nobody is signed in.
    }
    return store
  }
}
