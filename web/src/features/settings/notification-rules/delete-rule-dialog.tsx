import { withoutRule } from '../../../api/notification-rules.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import * as words from '../../../words/messages.js'
import { useChangeRules } from './use-change-rules.ts'

type DeleteRuleDialogProps = {
  /** Key that identifies the notification rule in the list of the user's rules (`StoredRule.key`). */
  ruleKey: string
  /** Translated name of the notification rule that the dialog deletes, with its position, such as "2: env=prod, Critical". */
  name: string
  onDeleted: () => void
  onClose: () => void
}

/**
 * React component: confirmation dialog that deletes the notification rule with the key `ruleKey` at the hub. `onDeleted` is called after
 * success, `onClose` to close the dialog.
 */
export function DeleteRuleDialog({ ruleKey, name, onDeleted, onClose }: DeleteRuleDialogProps) {
  const removal = useChangeRules()
  return (
    <Dialog
      title={words.notify_rule_delete_title({ rule: name })}
      description={words.notify_rule_delete_about()}
      role="alertdialog"
      onClose={onClose}
    >
      {removal.isError && <FormError message={messageOf(removal.error)} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="danger" disabled={removal.isPending} onClick={() => removal.mutate(withoutRule(ruleKey), { onSuccess: onDeleted })}>
          {words.delete_action()}
        </Button>
      </div>
    </Dialog>
  )
}
