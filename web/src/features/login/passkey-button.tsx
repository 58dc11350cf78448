import { useMutation } from '@tanstack/react-query'
import { passkeyProblem } from '../../api/passkey-support.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

/**
 * Function that signs in with a passkey and stores the session; rejects when that fails or is cancelled. The code for passkeys is loaded on
 * the first call, because most users sign in otherwise.
 */
const signIn = async (): Promise<void> => (await import('../../api/passkeys.ts')).signInWithPasskey()

/**
 * React component: button that signs in with a passkey. Renders nothing where this page cannot use passkeys: at an IP address, without
 * HTTPS, or in a browser without them.
 */
export function PasskeyButton() {
  const entry = useMutation({ mutationFn: signIn })
  if (passkeyProblem() !== undefined) return null
  return (
    <>
      <Button className="h-9 justify-center" disabled={entry.isPending} onClick={() => entry.mutate()}>
        {words.passkey_sign_in()}
      </Button>
      {entry.isError && <FormError message={messageOf(entry.error)} />}
    </>
  )
}
