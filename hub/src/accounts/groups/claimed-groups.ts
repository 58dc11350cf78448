import { ownValue } from '@vedette/protocol/own-value'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { idsIn } from '../../records/filter/matches.ts'
import { isOnlyAdmin } from '../../records/model/only-admin.ts'
import type { RecordValues } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { noteInAudit, type Changes } from '../../records/writing/audit-log.ts'
import { deriveGrantedTags } from './granted-tags.ts'

/**
 * Maximum number of values that the hub reads from an identity provider's claim about groups: 1,000. Further values are ignored and give no
 * access.
 */
const MOST_VALUES = 1_000
/** List of the roles that membership in a group can give to a user, from the lowest to the highest: `readonly`, `user`, `admin`. */
const byRank = ['readonly', 'user', 'admin']

/**
 * Set of group names in an identity provider's claim about a person. `isCut`: the claim had more than 1,000 values, and the hub ignored
 * those beyond.
 */
export type ClaimedValues = { readonly values: ReadonlySet<string>; readonly isCut: boolean }

/**
 * Returns the group names in the claim `name` of an identity provider, which is a list of texts or one text. A missing or malformed claim
 * gives an empty set.
 */
export function claimedValues(claims: JsonObject, name: string): ClaimedValues {
  const claim = ownValue(claims, name)
  const list = Array.isArray(claim) ? claim : [claim]
  const texts = list.slice(0, MOST_VALUES).filter((value) => typeof value === 'string' && value !== '')
  return { values: new Set(texts as readonly string[]), isCut: list.length > MOST_VALUES } // the filter leaves texts
}

/** Resolves to true if admins have linked any group of this hub to a value of an identity provider's claim. */
export const mapsClaims = async ({ store }: Pick<Engine, 'store'>): Promise<boolean> =>
  (await store.loadWhere('groups', {})).some((group) => textOf(group, 'claim') !== '')

/** Person who signs in at an identity provider: account record, name of the provider, and the group names in the provider's claim. */
export type ClaimingPerson = { readonly account: StoredRecord; readonly provider: string; readonly claimed: ClaimedValues }

/**
 * Updates the person's memberships in groups that are linked to values of the provider's claim, and the role that those groups give.
 * Without such a role, one from an earlier claim becomes `user`, except for the only admin. Resolves to the account. The transaction must
 * hold the lock `ACCESS`.
 */
export async function followClaims(
  engine: Engine,
  unit: UnitOfWork,
  log: Pick<Log, 'warn'>,
  { account, provider, claimed }: ClaimingPerson,
): Promise<StoredRecord> {
  const { store } = engine
  const { id } = account
  if (claimed.isCut) log.warn('claim with too many groups: only the first are used', { provider, account: id, most: MOST_VALUES })
  const groups = await store.loadWhere('groups', {}, unit)
  const before = groups.filter((group) => idsIn(group['claimMembers']).includes(id))
  const after = groups.filter((group) => textOf(group, 'claim') !== '' && claimed.values.has(textOf(group, 'claim')))
  const changes = new Map<string, RecordValues>()
  for (const group of before)
    if (!after.includes(group)) changes.set(group.id, { claimMembers: idsIn(group['claimMembers']).filter((member) => member !== id) })
  for (const group of after) if (!before.includes(group)) changes.set(group.id, { claimMembers: [...idsIn(group['claimMembers']), id] })
  for (const [group, values] of changes) await store.update(unit, 'groups', group, values)
  if (changes.size > 0) await deriveGrantedTags({ unit, store }, [id])
  const namesOf = (some: readonly StoredRecord[]) => some.map((group) => textOf(group, 'name')).toSorted()
  const memberships: Changes = changes.size === 0 ? {} : { groups: [namesOf(before), namesOf(after)] }
  const roles = await followRole({ engine, unit, log }, account, after)
  const noted = { ...memberships, ...roles }
  if (Object.keys(noted).length > 0) {
    const name = textOf(account, 'email')
    await noteInAudit(unit, engine.clock.now(), { by: account, action: 'update', target: 'users', id, name, changes: noted })
  }
  return (await store.load('users', id, unit)) ?? account
}

type RoleParts = { readonly engine: Engine; readonly unit: UnitOfWork; readonly log: Pick<Log, 'warn'> }

/**
 * Sets the account's role to the highest role that the given groups give. If none gives a role, one from an earlier claim becomes `user`;
 * the only admin stays admin. Resolves to the change for the audit log, by field name; `{}` if there is none.
 */
async function followRole(
  { engine: { store }, unit, log }: RoleParts,
  account: StoredRecord,
  groups: readonly StoredRecord[],
): Promise<Changes> {
  const rank = Math.max(...groups.map((group) => byRank.indexOf(textOf(group, 'role'))), -1)
  const isByClaim = account['roleByClaim'] === true
  if (rank === -1 && !isByClaim) return {}
  const [was, role] = [textOf(account, 'role'), byRank[rank] ?? 'user']
  if (role !== 'admin' && (await isOnlyAdmin(account, { unit, store }))) {
    log.warn('role by claim not set: the account is the only admin', { account: account.id, role })
    return { role: [was, was], roleByClaim: [role, 'not set: the only admin'] }
  }
  if (role !== was || isByClaim !== (rank !== -1)) await store.update(unit, 'users', account.id, { role, roleByClaim: rank !== -1 })
  return role === was ? {} : { role: [was, role] }
}
