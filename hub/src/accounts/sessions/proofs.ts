import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/**
 * Name of a sign-in method: password, one-time code (`otp`), identity provider (`oauth2`), proxy `header`, `passkey`, or `setup`. After a
 * passkey, no other factor is needed. `setup`: the set-up of a required authenticator app, which follows a first factor and completes the
 * sign-in.
 */
export type Method = 'password' | 'otp' | 'oauth2' | 'header' | 'passkey' | typeof SETUP

/**
 * Name of a second factor that a client may offer: code of the authenticator app (`app`), `recovery` code, `passkey`, or `setup` of an app.
 * Emailed codes are not listed, because older clients expect no list for them.
 */
export type SecondFactor = 'app' | 'recovery' | 'passkey' | 'setup'

/**
 * Name (`setup`) of the sign-in method for a sign-in that waits until the user has set up an authenticator app. It never counts as the
 * first factor of another sign-in.
 */
export const SETUP = 'setup'

/** Client that signs in: IP address, `User-Agent` text, and, in the second step, the `mfaId` from the first one. */
export type RemoteClient = {
  readonly address: string
  /** Text of the `User-Agent` header of the client that signs in, as sent. */
  readonly browser: string
  /** Id (`mfaId`) that the client received after the first factor of its sign-in; `''` if this request has the first factor. */
  readonly mfaId: string
}

/**
 * Thrown if a second factor is required. The response is `{ mfaId }` with status 401. It also has `factors` if the account has its own
 * second factors or must set one up. Without them it needs another sign-in method, such as a mailed code.
 */
export class SecondProofNeeded extends Error {
  override readonly name = 'SecondProofNeeded'
  readonly mfaId: string
  readonly factors: readonly SecondFactor[]
  constructor(mfaId: string, factors: readonly SecondFactor[] = []) {
    super('A second proof is needed')
    this.mfaId = mfaId
    this.factors = factors
  }
}

type ProofRequest = {
  readonly collection: Collection
  readonly account: StoredRecord
  readonly method: Method
  readonly lifetimeSeconds: number
}

/**
 * Handles a successful factor of a sign-in that needs two. Without `mfaId`, it stores it as the first factor and throws {@link
 * SecondProofNeeded}. With `mfaId`, it returns if the first factor was of the same account and another method, else it throws 400; also for
 * an expired `mfaId`.
 */
export async function takeProof(
  engine: Engine,
  { collection, account, method, lifetimeSeconds }: ProofRequest,
  mfaId: string,
): Promise<void> {
  if (mfaId === '') throw new SecondProofNeeded(await storeFirstProof(engine, { collection, account, method }))
  await engine.database.write(async (unit) => {
    const first = await firstProofOf(engine, { collection, mfaId, lifetimeSeconds }, unit)
    if (first['recordRef'] !== account.id || first['method'] === SETUP) throw badRequest('Invalid MFA session.')
    if (first['method'] === method) throw badRequest('A different authentication method is required.')
    await engine.store.remove(unit, '_mfas', mfaId)
  })
}

/**
 * Stores in the database that the first factor of a sign-in succeeded. Resolves to the id (`mfaId`) that the client must send with the
 * second factor.
 */
export async function storeFirstProof(
  { database, store }: Engine,
  { collection, account, method }: Omit<ProofRequest, 'lifetimeSeconds'>,
): Promise<string> {
  const values = { collectionRef: collection.id, recordRef: account.id, method }
  const { id } = await database.write((unit) => store.insert(unit, '_mfas', values))
  return id
}

type FirstProof = { readonly collection: Collection; readonly mfaId: string; readonly lifetimeSeconds: number }

/**
 * Loads the record of a sign-in's first factor by its `mfaId`; in a transaction (`unit`) it locks the record. Throws 400 if the id is
 * unknown, expired or of another collection.
 */
export async function firstProofOf(
  { store, clock }: Engine,
  { collection, mfaId, lifetimeSeconds }: FirstProof,
  unit?: UnitOfWork,
): Promise<StoredRecord> {
  const first = unit === undefined ? await store.load('_mfas', mfaId) : await store.loadToChange('_mfas', mfaId, unit)
  if (first === undefined || isOlder(first, lifetimeSeconds, clock.now())) throw badRequest('Invalid or expired MFA session.')
  if (first['collectionRef'] !== collection.id) throw badRequest('Invalid MFA session.')
  return first
}

/**
 * Returns true if a record's field `created` is more than `seconds` ago, or more than 5 s in the future. A clock that is set back must not
 * extend the record's lifetime.
 */
export function isOlder(record: StoredRecord, seconds: number, nowMs: number): boolean {
  const ageMs = nowMs - Date.parse(textOf(record, 'created').replace(' ', 'T'))
  return !(ageMs >= -MOST_STEP_MS && ageMs <= seconds * 1000)
}

const MOST_STEP_MS = 5000
const MOST_ORIGINS = 5

/**
 * Stores the client's address and browser among the account's sign-in origins (at most the 5 latest) in this collection. Resolves to true
 * if they are new, so that the user can be warned; to false for the account's first sign-in there.
 */
export async function rememberOrigin(
  engine: Engine,
  collection: Collection,
  account: StoredRecord,
  visitor: RemoteClient,
): Promise<boolean> {
  const { database, store } = engine
  const whose = { collectionRef: collection.id, recordRef: account.id }
  const fingerprint = originOf(visitor)
  return database.write(async (unit) => {
    await unit.alone(`origins ${account.id}`)
    const known = await store.loadWhere('_authOrigins', whose, unit)
    const here = known.find((one) => one['fingerprint'] === fingerprint)
    if (here !== undefined) {
      await store.update(unit, '_authOrigins', here.id, {})
      return false
    }
    const byAge = known.toSorted((one, other) => (textOf(one, 'updated') < textOf(other, 'updated') ? -1 : 1))
    for (const { id } of byAge.slice(0, Math.max(0, known.length + 1 - MOST_ORIGINS))) await store.remove(unit, '_authOrigins', id)
    await store.insert(unit, '_authOrigins', { ...whose, fingerprint })
    return known.length > 0
  })
}

/**
 * Returns the fingerprint of a client: MD5, in hex, of its address followed by its browser text. Hubs of other projects compute it so, and
 * their stored origins stay valid. It is not a secret.
 */
const originOf = ({ address, browser }: RemoteClient): string => createHash('md5').update(address).update(browser).digest('hex')

/**
 * Deletes an account's sessions, one-time codes and unfinished two-factor sign-ins in a transaction, because the key that signs its tokens
 * changes. The list of earlier sign-in origins stays.
 */
export async function deleteProofs(unit: UnitOfWork, accountId: string): Promise<void> {
  await deleteRowsOf(unit, ['_mfas', '_otps'], accountId)
  await unit.sql.deleteFrom('session_tokens').where('account', '=', accountId).execute()
}

/**
 * Deletes the authenticator app, recovery codes and passkeys of an account. Resolves to the names of those that it had: `authenticatorApp`,
 * `recoveryCodes`, `passkeys`.
 */
export async function deleteSecondFactors(unit: UnitOfWork, accountId: string): Promise<readonly string[]> {
  const tables = { authenticatorApp: 'authenticator_apps', recoveryCodes: 'recovery_codes', passkeys: 'passkeys' } as const
  const removed: string[] = []
  for (const [name, table] of Object.entries(tables)) {
    const { numDeletedRows } = await unit.sql.deleteFrom(table).where('account', '=', accountId).executeTakeFirst()
    if (numDeletedRows > 0n) removed.push(name)
  }
  return removed
}

/**
 * Deletes all sign-in data of a deleted account: sessions, codes, second factors, origins, provider links and API keys. Runs in the
 * transaction `unit`.
 */
export async function deleteSignInTraces(unit: UnitOfWork, accountId: string): Promise<void> {
  await deleteProofs(unit, accountId)
  await deleteSecondFactors(unit, accountId)
  await deleteRowsOf(unit, ['_authOrigins', '_externalAuths'], accountId)
  await unit.sql.deleteFrom('api_keys').where('user', '=', accountId).execute()
}

async function deleteRowsOf(unit: UnitOfWork, tables: readonly string[], accountId: string): Promise<void> {
  for (const table of tables) await sql`delete from ${sql.table(table)} where ${sql.ref('recordRef')} = ${accountId}`.execute(unit.sql)
}
