import { useQuery } from '@tanstack/react-query'
import type { AlertKind } from '../../api/alert-kinds.ts'
import { systemPolicyQuery } from '../../api/alert-policies.ts'
import { systemsQuery } from '../../api/queries.ts'
import { messageOf } from '../../api/request-failed.ts'
import { removeOwnAlert } from '../../api/system-alerts.ts'
import { PolicyForm } from '../../policies/policy-form.tsx'
import { policyName } from '../../policies/policy-words.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import * as words from '../../words/messages.js'
import { systemPolicy, type ShownRule } from './system-policy.ts'

type LevelsDialogProps = {
  kind: AlertKind
  systemId: string
  target: string | undefined
  /** Alert rule in force, from which a new policy for the system gets its values. */
  rule: ShownRule
  onStored: () => Promise<unknown>
  onClose: () => void
}

/**
 * React component: dialog with all thresholds of an alert on one system. It saves the user's policy for this system, and then removes the
 * user's own rule, which would replace the policy.
 */
export function LevelsDialog({ kind, systemId, target, rule, onStored, onClose }: LevelsDialogProps) {
  const place = { systemId, name: kind.name, target }
  const query = useQuery(systemPolicyQuery(place))
  const { data: systems = [] } = useQuery(systemsQuery)
  const afterSave = async () => {
    try {
      await removeOwnAlert({ systems: [systemId], name: kind.name, target })
    } catch (error) {
      throw new Error(words.alert_levels_unfinished({ reason: messageOf(error) }), { cause: error })
    }
    await onStored()
  }
  return (
    <Dialog
      title={words.alert_levels_of({ alert: policyName({ ...place, tag: '' }, systems) })}
      description={words.alert_levels_about()}
      onClose={onClose}
    >
      <Awaited query={query} placeholder="h-96">
        {(policies) => (
          <PolicyForm
            start={systemPolicy({ kind, systemId, target }, rule, policies[0])}
            policyId={policies[0]?.id}
            policies={policies}
            afterSave={afterSave}
            onClose={onClose}
          />
        )}
      </Awaited>
    </Dialog>
  )
}
