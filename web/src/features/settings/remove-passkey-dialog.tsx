import { useMutation } from '@tanstack/react-query'
import { removePasskey } from '../../api/passkeys.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { Passkey } from '../../api/second-factors.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import * as words from '../../words/messages.js'
import { ProofFields, proofOf, refusedProof, type NeededProof } from './proof-fields.tsx'

type RemovePasskeyDialogProps = NeededProof & { passkey: Passkey; onClose: () => void }

/**
 * React component: confirmation dialog that removes `passkey` of the user. It asks for the password or code that the hub requires
 * (`needsPassword`, `needsCode`).
 */
export function RemovePasskeyDialog({ passkey: { id, name }, onClose, ...needed }: RemovePasskeyDialogProps) {
  const removal = useMutation({ mutationFn: removePasskey, onSuccess: onClose })
  const refused = refusedProof(needed, removal.error)
  return (
    <Dialog title={words.passkey_remove_title({ name })} description={words.passkey_remove_about()} role="alertdialog" onClose={onClose}>
      <Form refused={refused} onSubmit={(textOf) => removal.mutate({ id, ...proofOf(needed, textOf) })}>
        <ProofFields {...needed} />
        {removal.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(removal.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="danger" type="submit" disabled={removal.isPending}>
            {words.passkey_remove()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
