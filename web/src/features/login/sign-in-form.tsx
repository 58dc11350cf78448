import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { neededStepOf, requestCode, type NeededStep } from '../../api/accounts.ts'
import { signIn } from '../../api/client.ts'
import { messageOf } from '../../api/request-failed.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { SecondStepForm, type PendingSignIn } from './second-step-form.tsx'

const SetUpStep = onDemand(async () => (await import('./set-up-step.tsx')).SetUpStep)
const AppStepForm = onDemand(async () => (await import('./app-step-form.tsx')).AppStepForm)

type SignInFormProps = {
  /** Translated message that a sign-in by other means, such as a proxy's header, has failed; absent for none. */
  readonly problem?: string
  /**
   * Second step that a sign-in by a proxy's header still needs. The form starts with it for `app` and `setup`. Absent, or any other step:
   * it starts with email and password, for `passkey` with a message.
   */
  readonly firstStep?: NeededStep | undefined
}

/**
 * React component: sign-in form with email and password, a passkey button and a button for each provider. If a second factor is required,
 * it continues with the code of the app or email, or with the set-up of an app.
 */
export function SignInForm({ problem, firstStep }: SignInFormProps) {
  const [half, setHalf] = useState<PendingSignIn>()
  const [step, setStep] = useState(firstStep)
  const entry = useMutation({
    mutationFn: async ({ email, password }: { email: string; password: string }) => {
      const needed = await signIn(email, password).then(() => undefined, requireStep)
      if (needed?.needs === 'mail') setHalf({ email, mfaId: needed.mfaId, otpId: await requestCode(email) })
      else setStep(needed)
    },
  })
  const back = () => setStep(undefined)
  if (step?.needs === 'app') return <AppStepForm mfaId={step.mfaId} onBack={back} />
  if (step?.needs === 'setup') return <SetUpStep mfaId={step.mfaId} onBack={back} />
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
      {step?.needs === 'passkey' && <FormError message={words.passkey_required()} />}
      <PasskeyButton />
      <ProviderButtons onStep={setStep} />
      <Link href={paths.forgotPassword} className="self-center py-1 text-note text-muted hover:text-text hover:underline">
        {words.forgot_password()}
      </Link>
    </EntryCard>
  )
}

/**
 * Returns the second step that a sign-in needs, from the error of its first request. Throws any other error again, such as that of a wrong
 * password.
 */
function requireStep(error: unknown): NeededStep {
  const step = neededStepOf(error)
  if (step === undefined) throw error
  return step
}
