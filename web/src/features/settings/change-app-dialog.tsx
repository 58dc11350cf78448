import { useMutation } from '@tanstack/react-query'
import { removeApp, renewRecoveryCodes, type FactorProof } from '../../api/second-factors.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import * as words from '../../words/messages.js'
import { ProofFields, proofOf, refusedProof } from './proof-fields.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

type ChangeAppDialogProps = {
  /** Name of the change that the dialog makes: `codes` replaces the recovery codes, `off` removes the authenticator app. */
  change: 'codes' | 'off'
  /** True when the hub requires the password as well as a code of the authenticator app or a recovery code. */
  needsPassword: boolean
  onClose: () => void
}

/**
 * React component: dialog that replaces the user's recovery codes or removes the authenticator app, as `change` says. It asks for a code
 * and, if the hub requires it, the password.
 */
export function ChangeAppDialog({ change, needsPassword, onClose }: ChangeAppDialogProps) {
  const renewal = useMutation({ mutationFn: renewRecoveryCodes })
  const removal = useMutation({ mutationFn: removeApp, onSuccess: onClose })
  if (renewal.data !== undefined) return <RecoveryCodesDialog codes={renewal.data} onClose={onClose} />
  const { error, isPending } = change === 'codes' ? renewal : removal
  const needed = { needsPassword, needsCode: true }
  const refused = refusedProof(needed, error)
  const texts =
    change === 'codes'
      ? { title: words.recovery_codes_new(), about: words.recovery_codes_new_about() }
      : { title: words.app_turn_off(), about: words.app_turn_off_about() }
  const send = (proof: FactorProof) => (change === 'codes' ? renewal.mutate(proof) : removal.mutate(proof))
  return (
    <Dialog title={texts.title} description={texts.about} onClose={onClose}>
      <Form refused={refused} onSubmit={(textOf) => send(proofOf(needed, textOf))}>
        <ProofFields {...needed} />
        {error !== null && Object.keys(refused).length === 0 && <FormError message={messageOf(error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look={change === 'off' ? 'danger' : 'primary'} type="submit" disabled={isPending}>
            {texts.title}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
