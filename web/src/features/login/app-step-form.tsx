import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { signInWithSecondFactor } from '../../api/second-factors.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'

type AppStepFormProps = {
  /** Id (`mfaId`) of the sign-in whose first factor the hub has accepted; it is sent with the code. */
  mfaId: string
  onBack: () => void
}

const link = 'self-center py-1 text-note text-muted hover:text-text hover:underline'

/**
 * React component: sign-in form for the second factor: a code of the authenticator app, or a recovery code. It stores the session after
 * success; `onBack` is called to start again.
 */
export function AppStepForm({ mfaId, onBack }: AppStepFormProps) {
  const [isRecovery, setIsRecovery] = useState(false)
  const entry = useMutation({ mutationFn: (code: string) => signInWithSecondFactor({ mfaId, code }) })
  const refused = fieldMessagesOf(entry.error)
  const field = isRecovery
    ? ({ label: words.recovery_code(), inputMode: 'text', autoComplete: 'off' } as const)
    : ({ label: words.field_code(), inputMode: 'numeric', autoComplete: 'one-time-code' } as const)
  const switchField = () => {
    setIsRecovery(!isRecovery)
    entry.reset()
  }
  return (
    <EntryCard title={words.second_factors()} description={isRecovery ? words.recovery_code_enter() : words.app_code_enter()}>
      <Form
        className="flex flex-col gap-3.5"
        refused={refused['code'] === undefined ? {} : { code: words.app_code_wrong() }}
        onSubmit={(textOf) => entry.mutate(textOf('code'))}
      >
        <TextField {...field} key={field.label} name="code" ref={focus} required maxLength={40} />
        {entry.isError && refused['code'] === undefined && <FormError message={messageOf(entry.error)} />}
        <Button look="primary" type="submit" disabled={entry.isPending} className="h-9 justify-center">
          {words.sign_in()}
        </Button>
      </Form>
      <div className="flex flex-col">
        <button type="button" className={link} onClick={switchField}>
          {isRecovery ? words.app_code_use() : words.recovery_code_use()}
        </button>
        <button type="button" className={link} onClick={onBack}>
          {words.back_to_sign_in()}
        </button>
      </div>
    </EntryCard>
  )
}

/** Ref callback that moves the focus to the code field when it appears, because the form that had the focus was removed. */
const focus = (field: HTMLInputElement | null): void => field?.focus()
