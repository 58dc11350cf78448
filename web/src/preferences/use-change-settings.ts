import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeSettings, settingsQuery } from '../api/account.ts'
import { keys } from '../api/keys.ts'
import { inverseChange, withChange, type SettingsChange } from '../api/settings-change.ts'
import { shownPreferences } from './preferences.ts'
import { settingsScope } from './settings-scope.ts'
import { storedChange } from './stored-change.ts'

/**
 * React hook: returns a TanStack Query mutation that changes the user's settings (argument: a `SettingsChange`). Changes are shown at once,
 * sent one after another, and undone when the request fails.
 */
export function useChangeSettings() {
  const client = useQueryClient()
  const { queryKey } = settingsQuery
  // Another tab may have changed settings that were not read here.
  const shown = () => withChange(client.getQueryData(queryKey) ?? {}, { merge: storedChange(shownPreferences().settings) })
  const show = (change: SettingsChange) => client.setQueryData(queryKey, withChange(shown(), change))
  return useMutation({
    mutationKey: keys.settings,
    mutationFn: changeSettings,
    scope: settingsScope,
    async onMutate(change) {
      await client.cancelQueries({ queryKey })
      const undo = inverseChange(shown(), change)
      show(change)
      return undo
    },
    onError: (_error, _change, undo) => undo && show(undo),
    onSuccess: (stored) => {
      // Later changes are shown already but not yet stored.
      if (client.isMutating({ mutationKey: keys.settings }) === 1) client.setQueryData(queryKey, stored)
    },
  })
}
