import { withoutStep } from '../../../api/escalation.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import * as words from '../../../words/messages.js'
import { useChangeEscalation } from './use-change-escalation.ts'

type DeleteStepDialogProps = {
  /** Key that identifies the escalation step in the list of steps (`StoredStep.key`). */
  stepKey: string
  /** Translated name of the escalation step that the dialog deletes, such as "After 15 min". */
  name: string
  onDeleted: () => void
  onClose: () => void
}

/**
 * React component: confirmation dialog that deletes the escalation step with the key `stepKey` at the hub. `onDeleted` is called after
 * success, `onClose` to close the dialog.
 */
export function DeleteStepDialog({ stepKey, name, onDeleted, onClose }: DeleteStepDialogProps) {
  const removal = useChangeEscalation()
  return (
    <Dialog
      title={words.escalation_delete_title({ step: name })}
      description={words.escalation_delete_about()}
      role="alertdialog"
      onClose={onClose}
    >
      {removal.isError && <FormError message={messageOf(removal.error)} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="danger" disabled={removal.isPending} onClick={() => removal.mutate(withoutStep(stepKey), { onSuccess: onDeleted })}>
          {words.delete_action()}
        </Button>
      </div>
    </Dialog>
  )
}
