import { clearSession, refreshSession } from './api/client.ts'
import { RequestFailed } from './api/request-failed.ts'
import { showToast } from './ui/toasts.ts'
import * as words from './words/messages.js'

/** Makes sure of the session after a refusal, once at a time; a hub that cannot be asked has refused nothing. */
export function checkSession(): () => void {
  let isChecking = false
  return () => {
    if (isChecking) return
    isChecking = true
    refreshSession()
      .catch((error: unknown) => error instanceof RequestFailed && !error.retryable && endSession())
      .finally(() => (isChecking = false))
  }
}

/** Says that the session is over, and leads to where one begins. */
export function endSession(): void {
  clearSession()
  showToast({ title: words.auth_failed(), description: words.auth_failed_detail(), look: 'destructive' })
}
