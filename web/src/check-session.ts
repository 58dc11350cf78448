import { clearSession, refreshSession } from './api/client.ts'
import { RequestFailed } from './api/request-failed.ts'
import { showToast } from './ui/toasts.ts'
import * as words from './words/messages.js'

/** Checks the session after a refusal, one check at a time. */
export function checkSession(): () => void {
  let isChecking = false
  return () => {
    if (isChecking) return
    isChecking = true
    void settleSession().finally(() => (isChecking = false))
  }
}

/** Ends a session that the hub refuses to renew. Resolves to false without the hub's response, as when a reload cuts the request off. */
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

/** Says that the session is over, and leads to where one begins. */
function endSession(): void {
  clearSession()
  showToast({ title: words.auth_failed(), description: words.auth_failed_detail(), look: 'destructive' })
}
