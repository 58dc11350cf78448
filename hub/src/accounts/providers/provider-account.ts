import { randomBytes } from 'node:crypto'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Log } from '../../platform/log.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { isEmail } from '../../records/model/field-check.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { asText, type StoredRecord } from '../../records/model/stored-record.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import { ACCESS } from '../groups/granted-tags.ts'
import { deleteProofs, deleteSecondFactors } from '../sessions/proofs.ts'
import { followClaims, type ClaimedValues } from '../groups/claimed-groups.ts'
import type { Profile } from './profile.ts'

type Coming = {
  readonly collection: Collection
  readonly provider: string
  readonly profile: Profile
  /**
   * Record of the signed-in user, to whom the account at the identity provider is linked. `undefined` for a guest, a session of another
   * collection, and a session of fixed length.
   */
  readonly actor: StoredRecord | undefined
  readonly createUsers: boolean
  /**
   * Group names in the provider's claim about the person. `undefined` for a provider without such a claim: the person's groups and role
   * stay as they are.
   */
  readonly claimed: ClaimedValues | undefined
  readonly log: Pick<Log, 'warn'>
}

/**
 * Resolves to the account for a profile at an identity provider: the linked one, the signed-in user, or the one with the verified email
 * address. Otherwise creates one (`isNew`), or throws 400 if `createUsers` is false or the profile has no verified email address. Stores
 * the link. Sets groups and role from the claim in the same transaction.
 */
export async function accountAtProvider(
  engine: Engine,
  coming: Coming,
): Promise<{ readonly account: StoredRecord; readonly isNew: boolean }> {
  const { database, store } = engine
  const { collection, provider, profile, actor, claimed, log } = coming
  const password = await engine.hashPassword(randomBytes(32).toString('base64url'))
  return database.write(async (unit) => {
    await unit.alone('accounts at providers')
    // Before any row of an account is locked, as in all changes of accounts.
    await unit.alone(ACCESS)
    const follow = async (account: StoredRecord): Promise<StoredRecord> =>
      claimed === undefined ? account : followClaims(engine, unit, log, { account, provider, claimed })
    const link = { collectionRef: collection.id, provider, providerId: profile.id }
    const [linked] = await store.loadWhere('_externalAuths', link, unit)
    if (linked !== undefined) {
      const account = await store.load('users', asText(linked['recordRef'] ?? ''), unit)
      if (account === undefined) throw nobody()
      return { account: await follow(account), isNew: false }
    }
    const own = actor ?? (await byAddress(engine, profile, password, unit))
    const account = own ?? (coming.createUsers ? await newAccount(engine, coming, password, unit) : undefined)
    if (account === undefined) throw nobody()
    const before = await store.loadWhere('_externalAuths', { collectionRef: collection.id, recordRef: account.id, provider }, unit)
    for (const { id } of before) await store.remove(unit, '_externalAuths', id)
    await store.insert(unit, '_externalAuths', { ...link, recordRef: account.id })
    const name = asText(account['email'] ?? '')
    const changes = { provider: [null, provider] as const }
    await noteInAudit(unit, engine.clock.now(), { by: account, action: 'link', target: 'users', id: account.id, name, changes })
    return { account: await follow(account), isNew: own === undefined }
  })
}

const nobody = () => badRequest('Failed to authenticate.')

/**
 * Resolves to the account with the profile's verified email address; `undefined` if there is none. An unverified account may be another
 * person's: it gets the password hash `password`, loses sessions, second factors and provider links, and then counts as verified.
 */
async function byAddress(engine: Engine, { email }: Profile, password: string, unit: UnitOfWork): Promise<StoredRecord | undefined> {
  if (email === undefined) return undefined
  const [found] = await engine.store.loadWhere('users', { email }, unit)
  if (found === undefined || found['verified'] === true) return found
  await deleteProofs(unit, found.id)
  await deleteSecondFactors(unit, found.id)
  for (const { id } of await engine.store.loadWhere('_externalAuths', { recordRef: found.id }, unit))
    await engine.store.remove(unit, '_externalAuths', id)
  return engine.store.update(unit, 'users', found.id, { password, tokenKey: randomId(50), verified: true })
}

async function newAccount(engine: Engine, { profile }: Coming, password: string, unit: UnitOfWork): Promise<StoredRecord | undefined> {
  const { email, name } = profile
  if (email === undefined || !isEmail(email)) return undefined
  return createVerifiedUser(engine, { email, name, password }, unit)
}

type NewUser = { readonly email: string; readonly name: string; readonly password: string }

/**
 * Creates an account with the role `user` and a verified email address, and its audit log entry. Resolves to the account. `password` is a
 * hash in PHC format.
 */
export async function createVerifiedUser(engine: Engine, { email, name, password }: NewUser, unit: UnitOfWork): Promise<StoredRecord> {
  const account = await engine.store.insert(unit, 'users', { email, password, name: name.slice(0, 255), role: 'user', verified: true })
  await noteInAudit(unit, engine.clock.now(), { by: account, action: 'create', target: 'users', id: account.id, name: email })
  return account
}
