import type { UnitOfWork } from '../platform/db/database.ts'
import type { Engine } from '../records/engine/engine.ts'
import { blank } from '../records/model/field-check.ts'
import { badRequest, notFound } from '../records/model/record-error.ts'
import { textOf, type StoredRecord } from '../records/model/stored-record.ts'
import { noteInAudit, type Changes } from '../records/writing/audit-log.ts'
import { confirmPassword, endSessionsWithin } from './account.ts'
import type { Attempts } from './attempts.ts'
import type { Auth, SignedInCaller } from './auth.ts'
import type { AuthenticatorApps, NewApp } from './second-factors/authenticator-apps.ts'
import { keepRequiredFactor } from './required-factors.ts'
import type { SignInStore } from './sessions/sign-in-settings.ts'
import type { Passkey, Passkeys, Registration } from './second-factors/passkeys.ts'
import type { RelyingParty } from './second-factors/relying-party.ts'

/** Time in ms (10 min) after a sign-in within which users may change their own second factors without entering the password. */
const RECENT_MS = 600_000

type FactorParts = {
  readonly engine: Engine
  readonly auth: Pick<Auth, 'signedInMs'>
  readonly apps: AuthenticatorApps
  readonly passkeys: Passkeys
  readonly ways: SignInStore
  readonly attempts: Attempts
}

/**
 * Signed-in user who changes their own second factors: account, session and client address. `password` and `code` are those in the request;
 * `''` for a missing one.
 */
export type FactorOwner = SignedInCaller & { readonly address: string; readonly password: string; readonly code: string }

/** Resolves to true if a session began with a sign-in of the last 10 minutes. The time of a renewal does not count. */
export async function isRecentSignIn(
  auth: Pick<Auth, 'signedInMs'>,
  { proof }: Pick<SignedInCaller, 'proof'>,
  nowMs: number,
): Promise<boolean> {
  const signedInMs = await auth.signedInMs(proof)
  return signedInMs !== undefined && Math.abs(nowMs - signedInMs) <= RECENT_MS
}

/**
 * Checks that a request comes from the account's owner: by the password, or without one by a sign-in of the last 10 minutes. Throws 400 for
 * a missing or wrong password, 429 after too many.
 */
async function confirmOwner({ engine, auth, attempts }: FactorParts, owner: FactorOwner): Promise<void> {
  if (owner.password !== '') return confirmPassword(attempts, owner)
  if (await isRecentSignIn(auth, owner, engine.clock.now())) return
  throw badRequest('Give your password to confirm it is you.', { password: blank })
}

/**
 * Creates the secret of a new authenticator app for the signed-in user; it cannot be used until its first code is confirmed. Throws 400 for
 * a wrong password, or if there is an app. `issuer`: the hub's name.
 */
export async function beginOwnApp(parts: FactorParts, owner: FactorOwner, issuer: string): Promise<NewApp> {
  await confirmOwner(parts, owner)
  return parts.apps.begin(owner.actor.id, { issuer, account: textOf(owner.actor, 'email') })
}

/** Result of turning on an authenticator app: the changed account record (`record`), and its new recovery codes, which are shown once. */
export type ChangedFactors = { readonly record: StoredRecord; readonly recoveryCodes: readonly string[] }

/**
 * Turns on the user's new authenticator app, if its first code is right, and ends all sessions; the route then starts a new one. Throws 400
 * for a wrong code.
 */
export async function confirmOwnApp({ engine, apps }: FactorParts, { actor, code }: FactorOwner): Promise<ChangedFactors> {
  let record = actor
  const recoveryCodes = await apps.confirm(actor.id, code, async (unit) => {
    record = await endSessionsWithin(engine, unit, actor.id)
    await note(engine, unit, { person: actor, changes: { authenticatorApp: ['off', 'on'] } })
  })
  return { record, recoveryCodes }
}

/**
 * Turns the signed-in user's authenticator app off and deletes the recovery codes. Throws 400 for a wrong password or code, and if the hub
 * requires a second factor and this is the last one.
 */
export async function removeOwnApp(parts: FactorParts, owner: FactorOwner): Promise<void> {
  const { engine, apps } = parts
  const { actor, code } = owner
  await confirmOwner(parts, owner)
  await apps.useCode(actor.id, code, async (unit) => {
    await unit.sql.deleteFrom('authenticator_apps').where('account', '=', actor.id).execute()
    await unit.sql.deleteFrom('recovery_codes').where('account', '=', actor.id).execute()
    await keepRequiredFactor(parts.ways, unit, actor)
    await note(engine, unit, { person: actor, changes: { authenticatorApp: ['on', 'off'] } })
  })
}

/** Replaces the signed-in user's recovery codes and resolves to the new ones. Throws 400 for a wrong password or code. */
export async function renewOwnCodes(parts: FactorParts, owner: FactorOwner): Promise<readonly string[]> {
  const { engine, apps } = parts
  const { actor, code } = owner
  await confirmOwner(parts, owner)
  return apps.useCode(actor.id, code, async (unit) => {
    await note(engine, unit, { person: actor, changes: { recoveryCodes: ['***', '***'] } })
    return apps.renewCodes(unit, actor.id)
  })
}

/**
 * Checks the password and code of a user who changes their own second factors, then runs `change` in a transaction and resolves to its
 * result. A code is needed only if an authenticator app is on.
 */
async function changeConfirmed<Result>(
  parts: FactorParts,
  owner: FactorOwner,
  change: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  const { engine, apps } = parts
  await confirmOwner(parts, owner)
  const { isOn } = await apps.stateOf(owner.actor.id)
  return isOn ? apps.useCode(owner.actor.id, owner.code, change) : engine.database.write(change)
}

/** Resolves to the WebAuthn options with which the signed-in user's browser creates a passkey. Throws 400 for a wrong password or code. */
export async function beginOwnPasskey(parts: FactorParts, owner: FactorOwner, place: { party: RelyingParty; hubName: string }) {
  await changeConfirmed(parts, owner, async () => {})
  const { id, email } = { id: owner.actor.id, email: textOf(owner.actor, 'email') }
  return parts.passkeys.beginRegistration(place.party, { account: id, email, hubName: place.hubName })
}

/**
 * Verifies the browser's WebAuthn registration, stores it as a passkey of the signed-in user, and returns the passkey. Throws 400 if it is
 * invalid.
 */
export const registerOwnPasskey = (
  { engine, passkeys }: FactorParts,
  { actor }: FactorOwner,
  party: RelyingParty,
  registration: Omit<Registration, 'account'>,
): Promise<Passkey> =>
  passkeys.register(party, { ...registration, account: actor.id }, (unit) =>
    note(engine, unit, { person: actor, changes: { passkey: [null, registration.name] } }),
  )

/**
 * Removes the signed-in user's passkey with this id. Throws 404 for an unknown passkey, 400 for a wrong password or code. Throws 400 also
 * if the hub requires a second factor and this is the last one.
 */
export const removeOwnPasskey = (parts: FactorParts, owner: FactorOwner, id: string): Promise<void> =>
  changeConfirmed(parts, owner, async (unit) => {
    const name = await parts.passkeys.remove(unit, owner.actor.id, id)
    if (name === undefined) throw notFound()
    await keepRequiredFactor(parts.ways, unit, owner.actor)
    await note(parts.engine, unit, { person: owner.actor, changes: { passkey: [name, null] } })
  })

/**
 * Writes an audit log entry in the transaction `unit` about a change of a person's second factors. `changes` maps names, such as
 * `authenticatorApp`, to the pair of old and new value.
 */
const note = (engine: Engine, unit: UnitOfWork, { person, changes }: { person: StoredRecord; changes: Changes }): Promise<void> =>
  noteInAudit(unit, engine.clock.now(), {
    by: person,
    action: 'update',
    target: 'users',
    id: person.id,
    name: textOf(person, 'email'),
    changes,
  })
