import { clearSession, refreshSession } from './api/client.ts'
import { RequestFailed } from './api/request-failed.ts'
import { showToast } from './ui/toasts.ts'
import * as words from './words/messages.js'

/**
 * Creates a function to call after a rejected request: it asks the hub whether the session is still valid, and ends it if not. While a
 * check runs, further calls do nothing.
 */
export function checkSession(): () => void {
  let isChecking = false
  return () => {
    if (isChecking) return
    isChecking = true
    void settleSession().finally(() => (isChecking = false))
  }
}

/**
 * Renews the session at the hub, or ends it on this page when the hub rejects it. Resolves to true in both cases, and to false when the
 * hub's response decides neither, such as when the hub is unreachable.
 */
export async function settleSession(): Promise<boolean> {
  try {
    await refreshSession()
    return true
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.reason !== 'refused' || error.retryable) return false
    endSession()
    return true
  }
}

/**
 * Removes the stored session from this browser, so that the sign-in page appears, and shows a toast (short message) that the session has
 * ended.
 */
function endSession(): void {
  clearSession()
  showToast({ title: words.auth_failed(), description: words.auth_failed_detail(), look: 'destructive' })
}
