import { useMutation } from '@tanstack/react-query'
import { addPasskey } from '../../api/passkeys.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { ProofFields, proofOf, refusedProof, type NeededProof } from './proof-fields.tsx'

const LONGEST_NAME = 100

/**
 * React component: dialog in which the user names a new passkey and creates it with the browser's dialog. It asks for the password or code
 * that the hub requires (`needsPassword`, `needsCode`).
 */
export function AddPasskeyDialog({ onClose, ...needed }: NeededProof & { onClose: () => void }) {
  const addition = useMutation({ mutationFn: addPasskey, onSuccess: onClose })
  const refused = refusedProof(needed, addition.error)
  return (
    <Dialog title={words.passkey_add()} description={words.passkey_add_about()} onClose={onClose}>
      <Form refused={refused} onSubmit={(textOf) => addition.mutate({ name: textOf('name'), ...proofOf(needed, textOf) })}>
        <TextField
          label={words.field_name()}
          name="name"
          required
          maxLength={LONGEST_NAME}
          autoComplete="off"
          hint={words.passkey_name_hint()}
        />
        <ProofFields {...needed} />
        {addition.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(addition.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={addition.isPending}>
            {words.passkey_add()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
