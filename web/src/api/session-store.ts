import { BaseAuthStore } from 'pocketbase'

/** Where the SDK's own store keeps the session. */
const KEY = 'pocketbase_auth'

/**
 * Holds the session in this page where the browser's storage is full or forbidden, which the SDK's own store does not survive; it begins
 * with the stored one where that can be read. `undefined`: the SDK's own will do.
 */
export function sessionStore(): BaseAuthStore | undefined {
  try {
    // About as much as a session takes.
    localStorage.setItem('ui-probe', ' '.repeat(4_000))
    localStorage.removeItem('ui-probe')
    return undefined
  } catch {
    const store = new BaseAuthStore()
    try {
      const { token, record } = JSON.parse(localStorage.getItem(KEY) ?? '') as BaseAuthStore // the SDK wrote it
      store.save(token, record)
    } catch {
      // Nothing can be read: nobody is signed in.
    }
    return store
  }
}
