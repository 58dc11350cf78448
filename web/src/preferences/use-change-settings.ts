import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changeSettings, settingsQuery } from '../api/account.ts'
import { keys } from '../api/keys.ts'
import { undoing, withChange, type SettingsChange } from '../api/settings-change.ts'
import { shownSettings } from './shown-settings.ts'
import { storedChange } from './stored-settings.ts'

/** Changes the person's settings: shown at once, sent one after the other, and taken back where the hub refuses. */
export function useChangeSettings() {
  const client = useQueryClient()
  const { queryKey } = settingsQuery
  // Until the hub's are read, those of the last visit hold.
  const shown = () => client.getQueryData(queryKey) ?? storedChange(shownSettings())
  const show = (change: SettingsChange) => client.setQueryData(queryKey, withChange(shown(), change))
  return useMutation({
    mutationKey: keys.settings,
    mutationFn: changeSettings,
    // The last of two changes of one setting counts.
    scope: { id: 'settings' },
    async onMutate(change) {
      await client.cancelQueries({ queryKey })
      const undo = undoing(shown(), change)
      show(change)
      return undo
    },
    onError: (_error, _change, undo) => undo && show(undo),
    onSuccess: (stored) => {
      // Later changes are shown already and not stored yet.
      if (client.isMutating({ mutationKey: keys.settings }) === 1) client.setQueryData(queryKey, stored)
    },
  })
}
