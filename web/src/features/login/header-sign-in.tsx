import { useQuery } from '@tanstack/react-query'
import { headerSignInQuery, neededStepOf } from '../../api/accounts.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Spinner } from '../../ui/spinner.tsx'
import * as words from '../../words/messages.js'
import { SignInForm } from './sign-in-form.tsx'

/**
 * React component: signs in by the header of a proxy in front of the hub. It shows the sign-in form when there is no such header, the hub
 * refuses it, or a second factor is required. That form then starts with the step for an authenticator app or its set-up.
 */
export function HeaderSignIn() {
  const { isPending, data, error } = useQuery(headerSignInQuery)
  // After success the session replaces this page.
  if (isPending || data === true) {
    return (
      <div className="flex min-h-dvh">
        <Spinner label={words.loading()} />
      </div>
    )
  }
  const step = neededStepOf(error)
  const isRefused = error !== null && step === undefined
  return <SignInForm firstStep={step} {...(isRefused ? { problem: messageOf(error) } : {})} />
}
