import { useMutation, useQueryClient } from '@tanstack/react-query'
import { settingsQuery } from '../../../api/account.ts'
import { changeEscalation, type EscalationChange } from '../../../api/escalation.ts'
import { keys } from '../../../api/keys.ts'
import { settingsScope } from '../../../preferences/settings-scope.ts'
import * as words from '../../../words/messages.js'

/**
 * React hook: returns a TanStack Query mutation that changes the user's escalation (argument: an `EscalationChange`). Changes are applied
 * to the steps that the hub has. It fails if another page deleted the step.
 */
export function useChangeEscalation() {
  const client = useQueryClient()
  const { queryKey } = settingsQuery
  return useMutation({
    mutationKey: keys.settings,
    scope: settingsScope,
    async mutationFn(change: EscalationChange) {
      const stored = await changeEscalation(change)
      if (stored === undefined) throw new Error(words.problem_gone())
      return stored
    },
    // Another page may have changed the steps.
    onError: () => client.invalidateQueries({ queryKey }),
    onSuccess(stored) {
      if (client.isMutating({ mutationKey: keys.settings }) === 1) client.setQueryData(queryKey, stored)
      else return client.invalidateQueries({ queryKey })
      return undefined
    },
  })
}
