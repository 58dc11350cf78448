import type { Collection } from '../records/model/collection.ts'
import type { Engine } from '../records/engine/engine.ts'
import { badRequest, RecordError } from '../records/model/record-error.ts'
import { isAdmin, textOf, type StoredRecord } from '../records/model/stored-record.ts'
import type { AuthenticatorApps } from './second-factors/authenticator-apps.ts'
import type { Passkeys } from './second-factors/passkeys.ts'
import type { AccountMail } from './mailed/mail-jobs.ts'
import {
  firstProofOf,
  rememberOrigin,
  SecondProofNeeded,
  SETUP,
  storeFirstProof,
  takeProof,
  type Method,
  type RemoteClient,
} from './sessions/proofs.ts'
import { requiresFactor, signInCollectionOf, type SignInSettings, type SignInStore } from './sessions/sign-in-settings.ts'

/**
 * Services for deciding whether a sign-in needs a second factor and for checking it: engine, sign-in settings, authenticator apps and
 * passkeys.
 */
export type StepParts = {
  readonly engine: Engine
  readonly ways: SignInStore
  readonly apps: AuthenticatorApps
  readonly passkeys: Pick<Passkeys, 'list'>
}

/**
 * Verified factor of a sign-in: collection (`users` or `_superusers`), account and method. `mfaId` is the id from an earlier factor of the
 * same sign-in; `''` if this is the first.
 */
type ProvedStep = {
  readonly collection: Collection
  readonly account: StoredRecord
  readonly method: Method
  readonly mfaId: string
}

/**
 * Resolves if a verified factor completes the sign-in; rejects with SecondProofNeeded if another factor must follow. Rejects with 400 for
 * the same method twice, an invalid `mfaId`, or another method in place of the authenticator app. Rejects with 403 for an emailed code that
 * may only be the second factor.
 */
export async function requireFactors({ engine, ways, apps, passkeys }: StepParts, step: ProvedStep): Promise<void> {
  const { collection, account, method, mfaId } = step
  if (method === 'passkey' || method === SETUP) return
  const settings = await ways.load()
  const { otp, mfa } = settings[signInCollectionOf(collection.name)]
  const isTwice = needsTwo(settings, collection, account)
  // Codes that are allowed only as an admin's second factor must not sign in anyone else.
  if (method === 'otp' && !isTwice && !otp.enabled) throw noCodes()
  const { isOn } = await apps.stateOf(account.id)
  if (isOn) {
    // A mailed code or a provider after the password does not replace the authenticator app.
    if (mfaId !== '') throw badRequest('This account needs a code of its authenticator app, or a recovery code.')
    throw new SecondProofNeeded(await storeFirstProof(engine, step), ['app', 'recovery'])
  }
  if (isTwice) await takeProof(engine, { ...step, lifetimeSeconds: mfa.duration }, mfaId)
  if (!requiresFactor(settings, account)) return
  if ((await passkeys.list(account.id)).length > 0) throw new SecondProofNeeded(await storeFirstProof(engine, step), ['passkey'])
  throw new SecondProofNeeded(await storeFirstProof(engine, { ...step, method: SETUP }), ['setup'])
}

/**
 * Resolves to true if the account has an authenticator app or passkey, or the sign-in settings do not require a second factor of this
 * account.
 */
export async function hasRequiredFactor({ ways, apps, passkeys }: StepParts, account: StoredRecord): Promise<boolean> {
  if (!requiresFactor(await ways.load(), account)) return true
  return (await apps.stateOf(account.id)).isOn || (await passkeys.list(account.id)).length > 0
}

/**
 * Request for the second step of a sign-in: the collection, and the `mfaId` from the first step's response. `code` is one of the
 * authenticator app or a recovery code.
 */
export type SecondStep = { readonly collection: Collection; readonly mfaId: string; readonly code: string }

/**
 * Checks and uses the code of the second step of a sign-in, and resolves to the account. Throws 400 for an unknown or expired first step
 * and for a wrong or used code, 429 after too many codes.
 */
export async function redeemSecondStep({ engine, ways, apps }: Omit<StepParts, 'passkeys'>, step: SecondStep): Promise<StoredRecord> {
  const { collection, mfaId, code } = step
  const lifetimeSeconds = (await ways.load())[signInCollectionOf(collection.name)].mfa.duration
  const first = await firstProofOf(engine, { collection, mfaId, lifetimeSeconds })
  if (first['method'] === SETUP) throw badRequest('Invalid MFA session.')
  return apps.useCode(textOf(first, 'recordRef'), code, async (unit) => {
    // Only one of several requests with the same first step succeeds.
    const now = await firstProofOf(engine, { collection, mfaId, lifetimeSeconds }, unit)
    const account = await engine.store.load('users', textOf(now, 'recordRef'), unit)
    if (account === undefined) throw badRequest('Invalid MFA session.')
    await engine.store.remove(unit, '_mfas', mfaId)
    return account
  })
}

type PlaceParts = Pick<StepParts, 'engine' | 'ways'> & { readonly write: (mail: AccountMail) => Promise<void> }
type CompletedSignIn = { readonly collection: Collection; readonly account: StoredRecord; readonly visitor: RemoteClient }

const LONGEST_BROWSER = 200

/**
 * Stores the client's address and browser of a completed sign-in. Emails the user if they are new, unless this is the account's first
 * sign-in or such emails are off.
 */
export async function noticePlace({ engine, ways, write }: PlaceParts, signIn: CompletedSignIn): Promise<void> {
  const { collection, account, visitor } = signIn
  if (!(await rememberOrigin(engine, collection, account, visitor))) return
  if (!(await ways.load())[signInCollectionOf(collection.name)].alert.enabled) return
  const { address, browser } = visitor
  const atMs = engine.clock.now()
  await write({ kind: 'login-alert', account: account.id, address, browser: browser.slice(0, LONGEST_BROWSER), atMs })
}

/**
 * Returns true if a sign-in of the account needs two different methods, such as password and emailed code. Admins can sign in as `users` or
 * `_superusers`, so the stricter setting applies to them.
 */
function needsTwo({ users, _superusers }: SignInSettings, collection: Collection, account: StoredRecord): boolean {
  return users.mfa.enabled || (_superusers.mfa.enabled && (collection.viewOf !== undefined || isAdmin(account)))
}

export const noCodes = (): RecordError => new RecordError(403, 'The collection is not configured to allow OTP authentication.')
