import type { Collection } from '../records/model/collection.ts'
import type { Engine } from '../records/engine/engine.ts'
import { changesBetween, noteInAudit } from '../records/writing/audit-log.ts'
import { blank } from '../records/model/field-check.ts'
import { checkPassword } from '../records/writing/new-password.ts'
import { badRequest, type FieldError, type FieldErrors } from '../records/model/record-error.ts'
import { asText, type StoredRecord, isAdmin } from '../records/model/stored-record.ts'
import { randomId } from '../platform/secrets/random-id.ts'
import type { Attempts } from './attempts.ts'
import { TooManyAttemptsError } from './auth.ts'
import type { MailedClaims, MailedKind, MailedTokens } from './mailed/mailed-token.ts'
import { verifyPassword } from './passwords/password.ts'
import { deleteProofs, deleteSecondFactors } from './sessions/proofs.ts'

type Problems = { readonly [field: string]: FieldError | FieldErrors | undefined }

/**
 * Throws 400 if a field of a request has an error. `problems` maps field names to errors, `undefined` for a valid field; the response
 * contains the errors.
 */
export function refuseProblems(problems: Problems): void {
  const found = Object.entries(problems).flatMap(([field, error]) => (error === undefined ? [] : [[field, error] as const]))
  if (found.length > 0) throw badRequest('An error occurred while validating the submitted data.', Object.fromEntries(found))
}

const wrong = (code: string, message: string): FieldError => ({ code, message })
const badToken = wrong('validation_invalid_token', 'Invalid or expired token.')
const elsewhereToken = wrong('validation_token_collection_mismatch', 'The provided token is for different auth collection.')
const badPassword = wrong('validation_invalid_password', 'Missing or invalid auth record password.')

export type MailedLinks = {
  /**
   * Sets the new password `password` for the account for which an emailed reset link was made (`token`). Marks the account's email address
   * as verified, and ends all sessions of the user. If the address was not verified before, deletes the account's second factors.
   */
  readonly resetPassword: (collection: Collection, sent: { token: string; password: string; passwordConfirm: string }) => Promise<void>
  readonly verify: (collection: Collection, token: string) => Promise<void>
  /**
   * Changes the account's email address to the one in the link's token and marks it verified. Needs the password, and ends all sessions of
   * the user. Throws 429 after too many wrong passwords.
   */
  readonly changeEmail: (collection: Collection, sent: { token: string; password: string }, address: string) => Promise<void>
}

/**
 * Creates the functions that carry out the links in emails: reset the password, verify or change the email address. They throw 400 with
 * field errors. Expired, used and forged tokens give the same error.
 */
export function mailedLinks(engine: Engine, tokens: MailedTokens, attempts: Attempts): MailedLinks {
  const { database, store } = engine

  /**
   * Resolves to the account for which the token of an emailed link was made (`account`), with the token's claims. For an invalid token, or
   * one of another `kind` of link, it resolves to `{ problem }`, a field error.
   */
  async function owner(collection: Collection, token: string, kind: MailedKind): Promise<Owner> {
    const claims = tokens.read(token)
    const account = claims?.type === kind ? await store.load('users', claims.id) : undefined
    if (claims === undefined || account === undefined || !tokens.isGood(token, claims, account)) return { problem: badToken }
    // Users and admins are the same accounts. The admin collection accepts links of admins only.
    if (engine.collections.find(claims.collectionId) === undefined || (collection.viewOf !== undefined && !isAdmin(account)))
      return { problem: elsewhereToken }
    return { account, claims }
  }

  /**
   * Stores `changes` (values by field name) in the account of an emailed link, after it has locked the account and checked the token again.
   * If the link is used twice at the same time, the second use throws 400.
   */
  async function change(
    token: string,
    { account, claims }: TokenAccount,
    changes: { readonly [field: string]: string | boolean },
  ): Promise<void> {
    await database.write(async (unit) => {
      const now = await store.loadToChange('users', account.id, unit)
      if (now === undefined || !tokens.isGood(token, claims, now)) return refuseProblems({ token: badToken })
      const { email } = changes
      const isTaken = typeof email === 'string' && (await store.loadWhere('users', { email }, unit)).length > 0
      refuseProblems({
        token: isTaken ? wrong('validation_existing_token_email', 'The new email address is already registered.') : undefined,
      })
      const next = { ...now, ...changes, tokenKey: '', password: '' }
      const told = {
        ...changesBetween({ ...now, tokenKey: '', password: '' }, next, () => false),
        ...('password' in changes ? { password: masked } : {}),
      }
      const name = asText(now['email'] ?? '')
      await noteInAudit(unit, engine.clock.now(), { by: 'mailed link', action: 'update', target: 'users', id: now.id, name, changes: told })
      await store.update(unit, 'users', account.id, changes)
      if ('tokenKey' in changes) await deleteProofs(unit, account.id)
      // Another person may have created an account whose address nobody had verified.
      if ('password' in changes && now['verified'] !== true) await deleteSecondFactors(unit, account.id)
    })
  }

  return {
    async resetPassword(collection, { token, password, passwordConfirm }) {
      const found = token === '' ? { problem: blank } : await owner(collection, token, 'passwordReset')
      refuseProblems({
        token: 'problem' in found ? found.problem : undefined,
        password: password === '' ? blank : wrongLength(password),
        passwordConfirm:
          passwordConfirm === ''
            ? blank
            : passwordConfirm === password
              ? undefined
              : wrong('validation_values_mismatch', "Values don't match."),
      })
      if ('problem' in found) return
      const hash = await engine.hashPassword(password)
      // The person received the email, so the address is verified.
      await change(token, found, { password: hash, tokenKey: randomId(50), verified: true })
    },

    async verify(collection, token) {
      if (token === '') return refuseProblems({ token: blank })
      if (tokens.read(token)?.type !== 'verification')
        return refuseProblems({ token: wrong('validation_invalid_token_claims', 'Missing email token claim.') })
      const found = await owner(collection, token, 'verification')
      if ('problem' in found) return refuseProblems({ token: found.problem })
      return change(token, found, { verified: true })
    },

    async changeEmail(collection, { token, password }, address) {
      const found =
        tokens.read(token)?.type === 'emailChange' ? await owner(collection, token, 'emailChange') : { problem: noAddress(token) }
      if ('problem' in found) return refuseProblems({ token: found.problem, password: password === '' ? blank : badPassword })
      const { account, claims } = found
      const attempt = await attempts.begin({ address, account: asText(account['email'] ?? '') })
      if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
      const right = password !== '' && (await verifyPassword(password, asText(account['password'] ?? '')))
      refuseProblems({ password: password === '' ? blank : right ? undefined : badPassword })
      await attempt.succeeded()
      const newEmail = claims.newEmail ?? ''
      return change(token, found, { email: newEmail, tokenKey: randomId(50), verified: true })
    },
  }
}

const noAddress = (token: string): FieldError =>
  token === '' ? blank : wrong('validation_invalid_token_payload', 'Invalid token payload - newEmail must be set.')

const masked = ['***', '***'] as const

type TokenAccount = { readonly account: StoredRecord; readonly claims: MailedClaims }
type Owner = TokenAccount | { readonly problem: FieldError }

const SHORTEST = 8
const LONGEST = 255

function wrongLength(password: string): FieldError | FieldErrors | undefined {
  const length = Array.from(password).length
  if (length >= SHORTEST && length <= LONGEST) return checkPassword(password)
  const message = `The length must be between ${SHORTEST} and ${LONGEST}.`
  return { code: 'validation_length_out_of_range', message, params: { max: LONGEST, min: SHORTEST } }
}
