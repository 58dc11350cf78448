import { wordField } from '../../../navigation/search.ts'
import { useSearchValues } from '../../../navigation/use-search-values.ts'
import { storedChange } from '../../../preferences/stored-change.ts'
import { useChangeSettings } from '../../../preferences/use-change-settings.ts'
import { useSettings } from '../../../preferences/use-preferences.ts'
import { showToast } from '../../../ui/toasts.ts'
import * as words from '../../../words/messages.js'

const fields = { containersGroup: wordField(['project', 'none'], undefined) }

/** Whether the containers are grouped by project: as the address says, or else as the account remembers it. A change goes to both. */
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
