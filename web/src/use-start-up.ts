import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { settingsQuery } from './api/account.ts'
import { watchRefusals } from './api/client.ts'
import { systemsQuery } from './api/queries.ts'
import { watchClock } from './api/watch-clock.ts'
import { checkSession, settleSession } from './check-session.ts'
import { fleetPages } from './paths.ts'
import { applySettings } from './preferences/preferences.ts'
import { readSettings } from './preferences/stored-settings.ts'

/**
 * React hook: loads settings and systems after sign-in. An empty list of systems may mean that the session has expired, so the session is
 * checked then. An inconclusive check is repeated at the next empty list.
 */
export function useStartUp(): void {
  const [path] = useLocation()
  // Until they are loaded, the settings of the last visit apply.
  const { data: settings } = useQuery(settingsQuery)
  useEffect(() => settings && applySettings(readSettings(settings)), [settings])
  const { data, dataUpdatedAt } = useQuery({ ...systemsQuery, enabled: !fleetPages.includes(path) })
  const isChecked = useRef(false)
  const isEmpty = data?.length === 0
  useEffect(() => {
    if (!isEmpty || isChecked.current || dataUpdatedAt === 0) return
    isChecked.current = true
    // An inconclusive check is repeated with the next empty list.
    void settleSession().then((isSettled) => (isChecked.current = isSettled))
  }, [isEmpty, dataUpdatedAt])
  useEffect(() => watchRefusals(checkSession()), [])
  useEffect(watchClock, [])
}
