import { badRequest } from '../records/model/record-error.ts'
import { asText } from '../records/model/record-row.ts'
import type { StoredRecord } from '../records/model/stored-record.ts'
import type { Attempts } from './attempts.ts'
import { TooManyAttemptsError } from './auth.ts'
import { verifyPassword } from './passwords/password.ts'

type Confirming = { readonly actor: StoredRecord; readonly password: unknown; readonly address: string }

/**
 * Makes sure that who is signed in still is who they are, before something that cannot be undone. Throws 400 for another
 * password, 429 for too many tries.
 */
export async function confirmPassword(attempts: Attempts, { actor, password, address }: Confirming): Promise<void> {
  const attempt = attempts.begin({ address, account: asText(actor['email'] ?? '') })
  if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
  const isRight = typeof password === 'string' && (await verifyPassword(password, asText(actor['password'] ?? '')))
  if (!isRight)
    throw badRequest('Give your password to confirm it is you.', {
      password: { code: 'validation_invalid_password', message: 'The password is not right.' },
    })
  attempt.succeeded()
}
