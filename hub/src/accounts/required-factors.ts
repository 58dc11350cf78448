import type { UnitOfWork } from '../platform/db/database.ts'
import type { Collection } from '../records/model/collection.ts'
import type { Engine } from '../records/engine/engine.ts'
import { badRequest } from '../records/model/record-error.ts'
import { isAdmin, textOf, type StoredRecord } from '../records/model/stored-record.ts'
import { noteInAudit } from '../records/writing/audit-log.ts'
import { endSessionsWithin } from './account.ts'
import type { NewApp } from './second-factors/authenticator-apps.ts'
import { keepOlderHubsOut } from './second-factors/older-hubs.ts'
import { firstProofOf, SETUP } from './sessions/proofs.ts'
import { requiresFactor, signInCollectionOf, type SignInStore } from './sessions/sign-in-settings.ts'
import type { StepParts } from './sign-in-steps.ts'

/**
 * Name (`second factors`) of the database lock for changes of who needs or has a second factor. It is held while one is removed, and while
 * admins make second factors required.
 */
const LOCK = 'second factors'
/**
 * Minimum lifetime in seconds (900) of the `mfaId` with which a user sets up a required authenticator app during the sign-in. It applies if
 * the admins' setting is shorter.
 */
const SETUP_SECONDS = 900

/** Resolves to the set of ids of all accounts with an authenticator app that is on, or with a passkey. */
async function accountsWithFactor({ sql }: UnitOfWork): Promise<ReadonlySet<string>> {
  const apps = await sql.selectFrom('authenticator_apps').select('account').where('active', '=', 1).execute()
  const passkeys = await sql.selectFrom('passkeys').select('account').execute()
  return new Set([...apps, ...passkeys].map(({ account }) => account))
}

/**
 * Ends the sessions of all people without a second factor (`onlyAdmins`: of admins), in the transaction that makes one required. Throws 400
 * if the admin `by` has none (the command line needs none), or while an older hub runs that does not check second factors.
 */
export async function endSessionsWithoutFactor(
  engine: Engine,
  unit: UnitOfWork,
  by: StoredRecord | 'command line',
  onlyAdmins: boolean,
): Promise<void> {
  await unit.alone(LOCK)
  await keepOlderHubsOut(engine.database, unit)
  const safe = await accountsWithFactor(unit)
  if (by !== 'command line' && !safe.has(by.id)) {
    const message = 'Set up your own authenticator app or a passkey first.'
    throw badRequest('Failed to update collection.', { secondFactor: { required: { code: 'validation_own_factor_missing', message } } })
  }
  for (const account of await engine.store.loadWhere('users', {}, unit))
    if (!safe.has(account.id) && (!onlyAdmins || isAdmin(account))) await endSessionsWithin(engine, unit, account.id)
}

/**
 * Checks that a person whose second factor was removed in this transaction still has another one, if the hub requires one. Throws 400
 * otherwise.
 */
export async function keepRequiredFactor(ways: SignInStore, unit: UnitOfWork, account: StoredRecord): Promise<void> {
  await unit.alone(LOCK)
  // Loaded under the lock, so that the requirement cannot be switched on meanwhile.
  if (!requiresFactor(await ways.load(), account) || (await accountsWithFactor(unit)).has(account.id)) return
  throw badRequest('This hub requires a second factor. Add another one before you remove the last one.')
}

/**
 * Sign-in whose user must first set up an authenticator app: the sign-in collection (`users` or `_superusers`), and the `mfaId` from the
 * first factor's response.
 */
export type WaitingSetup = { readonly collection: Collection; readonly mfaId: string }

/**
 * Loads the account of a sign-in that waits for the set-up of an authenticator app. With a transaction (`unit`), it locks the sign-in's
 * record. Throws 400 for an invalid or expired `mfaId`, an unverified account, or one that has a passkey.
 */
async function waitingAccount({ engine, ways, passkeys }: StepParts, waiting: WaitingSetup, unit?: UnitOfWork): Promise<StoredRecord> {
  const { duration } = (await ways.load())[signInCollectionOf(waiting.collection.name)].mfa
  const first = await firstProofOf(engine, { ...waiting, lifetimeSeconds: Math.max(duration, SETUP_SECONDS) }, unit)
  const account = first['method'] === SETUP ? await engine.store.load('users', textOf(first, 'recordRef'), unit) : undefined
  if (account?.['verified'] !== true || (await passkeys.list(account.id)).length > 0) throw badRequest('Invalid MFA session.')
  return account
}

/** Creates the secret of the authenticator app that a sign-in waits for. `issuer`: the hub's name. Throws 400 for an invalid `mfaId`. */
export async function beginRequiredApp(parts: StepParts, waiting: WaitingSetup, issuer: string): Promise<NewApp> {
  const account = await waitingAccount(parts, waiting)
  return parts.apps.begin(account.id, { issuer, account: textOf(account, 'email') })
}

/**
 * Turns on the authenticator app that a sign-in waits for, if its first code is right. Resolves to the account, which is then signed in,
 * and its recovery codes. Ends its other sessions. Throws 400 for a wrong code or an invalid `mfaId`.
 */
export async function confirmRequiredApp(parts: StepParts, waiting: WaitingSetup, code: string) {
  const { engine, apps } = parts
  const { id } = await waitingAccount(parts, waiting)
  let record: StoredRecord | undefined
  const recoveryCodes = await apps.confirm(id, code, async (unit) => {
    const account = await waitingAccount(parts, waiting, unit)
    record = await endSessionsWithin(engine, unit, account.id)
    const changes = { authenticatorApp: ['off', 'on'] as const }
    const note = { by: account, action: 'update', target: 'users', id: account.id, name: textOf(account, 'email'), changes }
    await noteInAudit(unit, engine.clock.now(), note)
  })
  if (record === undefined) throw badRequest('Invalid MFA session.')
  return { record, recoveryCodes }
}
