import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { mfaIdOf, requestCode } from '../../api/accounts.ts'
import { signIn } from '../../api/client.ts'
import { messageOf } from '../../api/request-failed.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { SecondStepForm, type PendingSignIn } from './second-step-form.tsx'

/**
 * React component: sign-in form with email and password, followed by the form for a mailed code when a second factor is required. `problem`
 * is the reason why another sign-in failed before.
 */
export function SignInForm({ problem }: { readonly problem?: string }) {
  const [half, setHalf] = useState<PendingSignIn>()
  const entry = useMutation({
    mutationFn: async ({ email, password }: { email: string; password: string }) => {
      const mfaId = await signIn(email, password).then(() => undefined, requireMfaId)
      if (mfaId !== undefined) setHalf({ email, mfaId, otpId: await requestCode(email) })
    },
  })
  if (half !== undefined) return <SecondStepForm half={half} onBack={() => setHalf(undefined)} />
  return (
    <EntryCard title={words.sign_in_title()} description={words.sign_in_description()}>
      <Form className="flex flex-col gap-3.5" onSubmit={(textOf) => entry.mutate({ email: textOf('email'), password: textOf('password') })}>
        <TextField label={words.field_email()} name="email" type="email" autoComplete="username" required />
        <TextField label={words.field_password()} name="password" type="password" autoComplete="current-password" required />
        {entry.isError ? <FormError message={messageOf(entry.error)} /> : problem !== undefined && <FormError message={problem} />}
        <Button look="primary" type="submit" disabled={entry.isPending} className="h-9 justify-center">
          {words.sign_in()}
        </Button>
      </Form>
      <ProviderButtons />
      <Link href={paths.forgotPassword} className="self-center py-1 text-note text-muted hover:text-text hover:underline">
        {words.forgot_password()}
      </Link>
    </EntryCard>
  )
}

/** Returns the `mfaId` from the error of a sign-in that requires a second factor. Rethrows any other error. */
function requireMfaId(error: unknown): string {
  const mfaId = mfaIdOf(error)
  if (mfaId === undefined) throw error
  return mfaId
}
