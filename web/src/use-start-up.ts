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
 * Reads the systems, except where the page reads them itself. A hub answers a session that has ended with an empty list, not with a refusal: so an empty one makes
 * sure of the session, until the hub has said once whether it stands, and ends it when the hub refuses to renew it.
 */
export function useStartUp(): void {
  const [path] = useLocation()
  // While they cannot be read, the settings of the last visit hold.
  const { data: settings } = useQuery(settingsQuery)
  useEffect(() => settings && applySettings(readSettings(settings)), [settings])
  const { data, dataUpdatedAt } = useQuery({ ...systemsQuery, enabled: !fleetPages.includes(path) })
  const isChecked = useRef(false)
  const isEmpty = data?.length === 0
  useEffect(() => {
    if (!isEmpty || isChecked.current || dataUpdatedAt === 0) return
    isChecked.current = true
    // A hub that could not be asked is asked again with the next empty list.
    void settleSession().then((isSettled) => (isChecked.current = isSettled))
  }, [isEmpty, dataUpdatedAt])
  useEffect(() => watchRefusals(checkSession()), [])
  useEffect(watchClock, [])
}
