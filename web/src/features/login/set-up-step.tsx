import { useMutation, useQuery } from '@tanstack/react-query'
import { beginRequiredApp, confirmRequiredApp, type CompletedSetup } from '../../api/second-factors.ts'
import { keys } from '../../api/keys.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { ScanFields } from '../../ui/scan-fields.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'

type SetUpStepProps = {
  /** Id (`mfaId`) of the sign-in that the hub completes only after an authenticator app is set up. */
  mfaId: string
  onBack: () => void
}

/**
 * React component: form during a sign-in that sets up the authenticator app which the hub requires (QR code, first code). It then shows the
 * recovery codes and completes the sign-in. `onBack` is called to start again.
 */
export function SetUpStep({ mfaId, onBack }: SetUpStepProps) {
  const start = useQuery({
    queryKey: keys.requiredApp(mfaId),
    queryFn: () => beginRequiredApp(mfaId),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const confirmation = useMutation({ mutationFn: confirmRequiredApp })
  if (confirmation.data !== undefined) return <SavedCodes setup={confirmation.data} />
  const isWrong = fieldMessagesOf(confirmation.error)['code'] !== undefined
  return (
    <EntryCard title={words.app_set_up()} description={words.app_required()}>
      {start.isPending && <Spinner label={words.loading()} />}
      {start.isError && <FormError message={messageOf(start.error)} />}
      {start.data !== undefined && (
        <>
          <p className="text-note text-muted">{words.app_scan()}</p>
          <ScanFields
            app={start.data}
            labels={{
              code: words.app_qr_code(),
              secret: words.app_secret(),
              copy: words.copy(),
              copied: words.copied(),
              copyManually: words.copy_manually(),
            }}
          />
          <Form
            className="flex flex-col gap-3.5"
            refused={isWrong ? { code: words.app_code_wrong() } : {}}
            onSubmit={(textOf) => confirmation.mutate({ mfaId, code: textOf('code') })}
          >
            <TextField label={words.field_code()} name="code" inputMode="numeric" autoComplete="one-time-code" required maxLength={20} />
            {confirmation.isError && !isWrong && <FormError message={messageOf(confirmation.error)} />}
            <Button look="primary" type="submit" disabled={confirmation.isPending} className="h-9 justify-center">
              {words.app_turn_on()}
            </Button>
          </Form>
        </>
      )}
      <button type="button" className="self-center py-1 text-note text-muted hover:text-text hover:underline" onClick={onBack}>
        {words.back_to_sign_in()}
      </button>
    </EntryCard>
  )
}

function SavedCodes({ setup: { recoveryCodes, signIn } }: { setup: CompletedSetup }) {
  return (
    <EntryCard title={words.recovery_codes()} description={words.recovery_codes_about()}>
      <ol className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-control bg-sunken p-3 font-mono text-small">
        {recoveryCodes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Button look="primary" className="h-9 justify-center" onClick={signIn}>
        {words.recovery_codes_done()}
      </Button>
    </EntryCard>
  )
}
