import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { requestCode, signInWithCode } from '../../api/accounts.ts'
import { messageOf, RequestFailed } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { EntryNote } from './entry-note.tsx'

/**
 * Sign-in whose password the hub has accepted and that needs an emailed code. `mfaId` identifies the sign-in, `otpId` the email with the
 * code; both are sent with the code.
 */
export type PendingSignIn = { readonly email: string; readonly mfaId: string; readonly otpId: string }

/**
 * React component: sign-in form for the emailed one-time code, the second factor after the password. `half` is the sign-in so far; `onBack`
 * is called to start again with the password.
 */
export function SecondStepForm({ half, onBack }: { half: PendingSignIn; onBack: () => void }) {
  const [otpId, setOtpId] = useState(half.otpId)
  const entry = useMutation({ mutationFn: (password: string) => signInWithCode({ otpId, password, mfaId: half.mfaId }) })
  const again = useMutation({
    mutationFn: () => requestCode(half.email),
    onSuccess: (id) => {
      setOtpId(id)
      entry.reset()
    },
  })
  const problem = entry.error ?? again.error
  return (
    <EntryCard title={words.code_title()} description={words.code_description({ email: half.email })}>
      <Form className="flex flex-col gap-3.5" onSubmit={(textOf) => entry.mutate(textOf('code').replaceAll(/\s/g, ''))}>
        <TextField
          label={words.field_code()}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          ref={focus}
          required
          maxLength={20}
        />
        {problem !== null && <FormError message={wordsFor(problem)} />}
        {again.isSuccess && problem === null && <EntryNote>{words.code_sent_again()}</EntryNote>}
        <Button look="primary" type="submit" disabled={entry.isPending} className="h-9 justify-center">
          {words.sign_in()}
        </Button>
        <Button type="button" disabled={again.isPending} className="h-9 justify-center" onClick={() => again.mutate()}>
          {words.code_again()}
        </Button>
      </Form>
      <button type="button" className="self-center py-1 text-note text-muted hover:text-text hover:underline" onClick={onBack}>
        {words.back_to_sign_in()}
      </button>
    </EntryCard>
  )
}

/** Ref callback that focuses the field for the mailed code when it appears, because the password form with the focus is removed. */
const focus = (field: HTMLInputElement | null): void => field?.focus()

/**
 * Returns the message for a failed sign-in with an emailed code. For status 400 it is translated and does not distinguish wrong, expired
 * and used codes; else it is the error's.
 */
function wordsFor(error: Error): string {
  return error instanceof RequestFailed && error.status === 400 ? words.code_wrong() : messageOf(error)
}
