import { noPolicyValues, type AlertPolicy } from '../api/alert-policies.ts'
import type { System } from '../api/system-record.ts'
import { Dialog } from '../ui/dialog.tsx'
import * as words from '../words/messages.js'
import { PolicyForm } from './policy-form.tsx'
import { policyName } from './policy-words.ts'

type PolicyDialogProps = {
  /** Alert policy that the dialog changes; `undefined` to add a policy. */
  policy: AlertPolicy | undefined
  /** List of the user's alert policies. The dialog shows an error when one of them sets the same alert on the same systems. */
  policies: readonly AlertPolicy[]
  systems: readonly System[]
  onClose: () => void
}

const newPolicy: Omit<AlertPolicy, 'id'> = {
  tag: '',
  systemId: '',
  name: 'Status',
  target: undefined,
  values: { ...noPolicyValues, off: false },
}

/**
 * React component: dialog that adds or changes an alert policy; it saves to the hub and then calls `onClose`. The systems and the alert
 * kind of an existing policy cannot be changed.
 */
export const PolicyDialog = ({ policy, policies, systems, onClose }: PolicyDialogProps) => (
  <Dialog
    title={policy === undefined ? words.policy_add() : words.policy_edit_title({ policy: policyName(policy, systems) })}
    description={words.policy_dialog_about()}
    onClose={onClose}
  >
    <PolicyForm
      start={policy ?? newPolicy}
      policyId={policy?.id}
      policies={policies}
      {...(policy === undefined ? { rangeOf: systems } : {})}
      onClose={onClose}
    />
  </Dialog>
)
