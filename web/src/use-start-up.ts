import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { settingsQuery } from './api/account.ts'
import { watchRefusals } from './api/client.ts'
import { systemsQuery } from './api/queries.ts'
import { watchClock } from './api/watch-clock.ts'
import { checkSession, settleSession } from './check-session.ts'
import { withChange } from './api/settings-change.ts'
import { applySettings, onPreferencesChange, shownPreferences } from './preferences/preferences.ts'
import { readSettings, storedChange } from './preferences/stored-settings.ts'

/**
 * Reads the systems. A hub answers a session that has ended with an empty list, not with a refusal: so an empty one makes
 * sure of the session, until the hub has said once whether it stands, and ends it when the hub refuses to renew it.
 */
export function useStartUp(): void {
  // While they cannot be read, the settings of the last visit hold.
  const { data: settings } = useQuery(settingsQuery)
  useEffect(() => settings && applySettings(readSettings(settings)), [settings])
  const client = useQueryClient()
  useEffect(() => {
    // Another tab of this browser changed them. It sends them to the hub itself.
    const merge = () => storedChange(shownPreferences().settings)
    return onPreferencesChange(() =>
      client.setQueryData(settingsQuery.queryKey, (stored) => stored && withChange(stored, { merge: merge() })),
    )
  }, [client])
  const { data, dataUpdatedAt } = useQuery(systemsQuery)
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
