import { badRequest } from '../records/model/record-error.ts'
import { asText, type StoredRecord } from '../records/model/stored-record.ts'
import type { Attempts } from './attempts.ts'
import { TooManyAttemptsError } from './auth.ts'
import { verifyPassword } from './passwords/password.ts'

type Confirming = { readonly actor: StoredRecord; readonly password: unknown; readonly address: string }

/** Checks the caller's password before an action that cannot be undone. Throws 400 for a wrong password, 429 for too many attempts. */
export async function confirmPassword(attempts: Attempts, { actor, password, address }: Confirming): Promise<void> {
  const attempt = await attempts.begin({ address, account: asText(actor['email'] ?? '') })
  if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
  const isRight = typeof password === 'string' && (await verifyPassword(password, asText(actor['password'] ?? '')))
  if (!isRight)
    throw badRequest('Give your password to confirm it is you.', {
      password: { code: 'validation_invalid_password', message: 'The password is not right.' },
    })
  await attempt.succeeded()
}
