import { useMutation } from '@tanstack/react-query'
import { beginApp, confirmApp, type NewApp } from '../../api/second-factors.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { ScanFields } from '../../ui/scan-fields.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

type SetUpAppDialogProps = {
  /** True when the hub requires the password before an authenticator app is set up. */
  needsPassword: boolean
  onClose: () => void
}

/**
 * React component: dialog that sets up an authenticator app in steps: password (with `needsPassword`), QR code and first code, recovery
 * codes.
 */
export function SetUpAppDialog({ needsPassword, onClose }: SetUpAppDialogProps) {
  const start = useMutation({ mutationFn: beginApp })
  const confirmation = useMutation({ mutationFn: confirmApp })
  if (confirmation.data !== undefined) return <RecoveryCodesDialog codes={confirmation.data} onClose={onClose} />
  if (start.data !== undefined) return <ScanStep app={start.data} confirmation={confirmation} onClose={onClose} />
  const refused = fieldMessagesOf(start.error)
  return (
    <Dialog title={words.app_set_up()} description={words.app_set_up_about()} onClose={onClose}>
      <Form refused={refused} onSubmit={(textOf) => start.mutate(needsPassword ? textOf('password') : '')}>
        {needsPassword && (
          <TextField label={words.field_old_password()} name="password" type="password" autoComplete="current-password" required />
        )}
        {start.isError && (!needsPassword || refused['password'] === undefined) && <FormError message={messageOf(start.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={start.isPending}>
            {words.app_continue()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type ScanStepProps = {
  app: NewApp
  confirmation: { readonly error: Error | null; readonly isPending: boolean; readonly mutate: (code: string) => void }
  onClose: () => void
}

function ScanStep({ app, confirmation: { error, isPending, mutate }, onClose }: ScanStepProps) {
  const refused = fieldMessagesOf(error)
  const isWrong = refused['code'] !== undefined
  return (
    <Dialog title={words.app_set_up()} description={words.app_scan()} onClose={onClose}>
      <ScanFields app={app} labels={scanLabels()} />
      <Form refused={isWrong ? { code: words.app_code_wrong() } : {}} onSubmit={(textOf) => mutate(textOf('code'))}>
        <TextField
          label={words.field_code()}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={20}
          hint={words.app_first_code()}
        />
        {error !== null && !isWrong && <FormError message={messageOf(error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={isPending}>
            {words.app_turn_on()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

const scanLabels = () => ({
  code: words.app_qr_code(),
  secret: words.app_secret(),
  copy: words.copy(),
  copied: words.copied(),
  copyManually: words.copy_manually(),
})
