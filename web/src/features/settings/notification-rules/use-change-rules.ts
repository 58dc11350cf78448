import { useMutation, useQueryClient } from '@tanstack/react-query'
import { settingsQuery } from '../../../api/account.ts'
import type { JsonRecord } from '../../../api/json.ts'
import { keys } from '../../../api/keys.ts'
import { changeNotificationRules, withRules, type RulesChange } from '../../../api/notification-rules.ts'
import { withChange } from '../../../api/settings-change.ts'
import { settingsScope } from '../../../preferences/settings-scope.ts'
import * as words from '../../../words/messages.js'

/**
 * React hook: returns a TanStack Query mutation that changes the user's notification rules (argument: a `RulesChange`). Changes are shown
 * at once and applied to the rules that the hub has. It fails if another page deleted the rule.
 */
export function useChangeRules() {
  const client = useQueryClient()
  const { queryKey } = settingsQuery
  const show = (read: (settings: JsonRecord) => JsonRecord) => client.setQueryData(queryKey, (shown) => shown && read(shown))
  return useMutation({
    mutationKey: keys.settings,
    scope: settingsScope,
    async mutationFn(change: RulesChange) {
      const stored = await changeNotificationRules(change)
      if (stored === undefined) throw new Error(words.problem_gone())
      return stored
    },
    async onMutate(change) {
      await client.cancelQueries({ queryKey })
      const { notificationRules = null } = client.getQueryData(queryKey) ?? {}
      show((settings) => withChange(settings, { merge: withRules(settings, change) ?? {} }))
      return { notificationRules }
    },
    onError(_error, _change, before) {
      if (before !== undefined) show((settings) => withChange(settings, { merge: before }))
      // Another page may have changed the rules.
      return client.invalidateQueries({ queryKey })
    },
    onSuccess(stored) {
      // Later changes are shown already but not yet stored.
      if (client.isMutating({ mutationKey: keys.settings }) === 1) client.setQueryData(queryKey, stored)
    },
  })
}
