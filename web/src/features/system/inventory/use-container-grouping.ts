import { wordField } from '../../../navigation/search.ts'
import { useSearchValues } from '../../../navigation/use-search-values.ts'
import { storedChange } from '../../../preferences/stored-change.ts'
import { useChangeSettings } from '../../../preferences/use-change-settings.ts'
import { useSettings } from '../../../preferences/use-preferences.ts'
import { showToast } from '../../../ui/toasts.ts'
import * as words from '../../../words/messages.js'

const fields = { containersGroup: wordField(['project', 'none'], undefined) }

/**
 * React hook: returns whether containers are grouped by Compose project, and a function that changes it. The choice is stored in the URL
 * and in the account's settings; the URL takes precedence.
 */
export function useContainerGrouping() {
  const { values, change } = useSearchValues(fields)
  const { groupContainers } = useSettings()
  const saving = useChangeSettings()
  const isGrouped = values.containersGroup === undefined ? groupContainers : values.containersGroup === 'project'
  return {
    isGrouped,
    setGrouped: (groupContainers: boolean): void => {
      change({ containersGroup: groupContainers ? 'project' : 'none' })
      saving.mutate(
        { merge: storedChange({ groupContainers }) },
        { onError: (error) => showToast({ title: words.settings_failed(), description: error.message, look: 'destructive' }) },
      )
    },
  }
}
