import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { clearSession, refreshSession, watchRefusals } from './api/client.ts'
import { systemsQuery } from './api/queries.ts'
import { RequestFailed } from './api/request-failed.ts'
import { showToast } from './ui/toasts.ts'
import * as words from './words/messages.js'

/**
 * Reads the systems. A hub answers a session that has ended with an empty list, not with a refusal: so an empty one makes
 * sure of the session, once, and ends it when it cannot be renewed.
 */
export function useStartUp(): void {
  useEffect(() => {
    import('./sync-settings.ts').then(({ syncSettings }) => syncSettings()).catch(() => undefined)
  }, [])
  const { data } = useQuery(systemsQuery)
  const isChecked = useRef(false)
  const isEmpty = data?.length === 0
  useEffect(() => {
    if (!isEmpty || isChecked.current) return
    isChecked.current = true
    refreshSession().catch(endSession)
  }, [isEmpty])
  useEffect(() => watchRefusals(checkSession()), [])
}

/** Makes sure of the session after a refusal, once at a time; a hub that cannot be asked has refused nothing. */
function checkSession(): () => void {
  let isChecking = false
  return () => {
    if (isChecking) return
    isChecking = true
    refreshSession()
      .catch((error: unknown) => error instanceof RequestFailed && !error.retryable && endSession())
      .finally(() => (isChecking = false))
  }
}

function endSession(): void {
  clearSession()
  showToast({ title: words.auth_failed(), description: words.auth_failed_detail(), look: 'destructive' })
}
