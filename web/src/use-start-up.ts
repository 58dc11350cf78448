import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refreshSession, watchRefusals } from './api/client.ts'
import { systemsQuery } from './api/queries.ts'
import { checkSession, endSession } from './check-session.ts'

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
