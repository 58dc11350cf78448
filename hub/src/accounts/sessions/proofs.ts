import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/** How somebody proved who they are. */
export type Method = 'password' | 'otp' | 'oauth2'

/** Where a sign-in comes from, and what it brings along. */
export type RemoteClient = {
  readonly address: string
  /** `User-Agent`, as sent. */
  readonly browser: string
  /** From the first of two proofs; `''` when there was none. */
  readonly mfaId: string
}

/** Signing in needs a second proof; the answer is `{ mfaId }` with 401. */
export class SecondProofNeeded extends Error {
  override readonly name = 'SecondProofNeeded'
  readonly mfaId: string
  constructor(mfaId: string) {
    super('A second proof is needed')
    this.mfaId = mfaId
  }
}

type ProofRequest = {
  readonly collection: Collection
  readonly account: StoredRecord
  readonly method: Method
  readonly lifetimeSeconds: number
}

/**
 * Takes one of two proofs. The first one throws {@link SecondProofNeeded}; the second, by another method and in time, returns, and
 * the id is worth nothing any more. Throws 400 for an id that is none, of somebody else, or too old.
 */
export async function takeProof(
  engine: Engine,
  { collection, account, method, lifetimeSeconds }: ProofRequest,
  mfaId: string,
): Promise<void> {
  const { database, store, clock } = engine
  if (mfaId === '') {
    const values = { collectionRef: collection.id, recordRef: account.id, method }
    const { id } = await database.write((unit) => store.insert(unit, '_mfas', values))
    throw new SecondProofNeeded(id)
  }
  await database.write(async (unit) => {
    const first = await store.loadToChange('_mfas', mfaId, unit)
    if (first === undefined || isOlder(first, lifetimeSeconds, clock.now())) throw badRequest('Invalid or expired MFA session.')
    if (first['recordRef'] !== account.id || first['collectionRef'] !== collection.id) throw badRequest('Invalid MFA session.')
    if (first['method'] === method) throw badRequest('A different authentication method is required.')
    await store.remove(unit, '_mfas', mfaId)
  })
}

/** Whether a record was made longer ago than so many seconds, or in the future: a clock that stepped back gives nobody more time. */
export function isOlder(record: StoredRecord, seconds: number, nowMs: number): boolean {
  const ageMs = nowMs - Date.parse(textOf(record, 'created').replace(' ', 'T'))
  return !(ageMs >= -MOST_STEP_MS && ageMs <= seconds * 1000)
}

const MOST_STEP_MS = 5000
const MOST_ORIGINS = 5

/** Remembers where somebody signs in from. True when it is a new place, and not the first one. */
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

/** Made as other hubs make it, so that places remembered there are known here. It guards nothing. */
const originOf = ({ address, browser }: RemoteClient): string => createHash('md5').update(address).update(browser).digest('hex')

/** What was proved with a key of the account that is no longer its own, and the sessions that ended with it. Places stay known. */
export async function forgetProofs(unit: UnitOfWork, accountId: string): Promise<void> {
  await forgetIn(unit, ['_mfas', '_otps'], accountId)
  await unit.sql.deleteFrom('session_tokens').where('account', '=', accountId).execute()
}

/** The same with all that is left, once there is no account. */
export async function forgetAccount(unit: UnitOfWork, accountId: string): Promise<void> {
  await forgetProofs(unit, accountId)
  await forgetIn(unit, ['_authOrigins', '_externalAuths'], accountId)
}

async function forgetIn(unit: UnitOfWork, tables: readonly string[], accountId: string): Promise<void> {
  for (const table of tables) await sql`delete from ${sql.table(table)} where ${sql.ref('recordRef')} = ${accountId}`.execute(unit.sql)
}
