import { useMutation } from '@tanstack/react-query'
import { deletePolicy, type AlertPolicy } from '../../api/alert-policies.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

/** React component: confirmation dialog that deletes the alert policy `policy` at the hub. `name` is the policy's translated name. */
export function DeletePolicyDialog({ policy, name, onClose }: { policy: AlertPolicy; name: string; onClose: () => void }) {
  const removal = useMutation({ mutationFn: () => deletePolicy(policy), onSuccess: onClose })
  return (
    <Dialog
      title={words.policy_delete_title({ policy: name })}
      description={words.policy_delete_about()}
      role="alertdialog"
      onClose={onClose}
    >
      {removal.isError && <FormError message={messageOf(removal.error)} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="danger" disabled={removal.isPending} onClick={() => removal.mutate()}>
          {words.delete_action()}
        </Button>
      </div>
    </Dialog>
  )
}
