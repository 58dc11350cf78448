import type { UnitOfWork } from '../../platform/db/database.ts'
import { idsIn } from '../../records/filter/matches.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/** Purpose of the lock that each change of groups, of grants and of accounts holds, so that derived lists never miss one. */
export const ACCESS = 'access'

/** Returns the ids of the members of a group: those whom admins listed, and those by a provider's claim. None for `undefined`. */
export const membersOf = (group: StoredRecord | undefined): ReadonlySet<string> =>
  new Set([...idsIn(group?.['members']), ...idsIn(group?.['claimMembers'])])

/** Tags of the systems that a user may view and change: own grants and those of the user's groups, sorted, each once. */
export type GrantedTags = { readonly viewTags: readonly string[]; readonly changeTags: readonly string[] }

/**
 * Returns the tags that each of the users has from grants (records of `tag_access`) to the user or to a group (record of `groups`) of the
 * user. A tag that may be changed may also be viewed.
 */
export function grantedTags(
  users: readonly string[],
  groups: readonly StoredRecord[],
  grants: readonly StoredRecord[],
): ReadonlyMap<string, GrantedTags> {
  const byHolder = Map.groupBy(grants, (grant) => textOf(grant, 'user') || textOf(grant, 'group'))
  const wanted = new Set(users)
  const found = new Map(users.map((user) => [user, [...(byHolder.get(user) ?? [])]]))
  for (const group of groups) {
    const ofGroup = byHolder.get(group.id) ?? []
    if (ofGroup.length === 0) continue
    for (const member of membersOf(group)) if (wanted.has(member)) found.get(member)?.push(...ofGroup)
  }
  return new Map([...found].map(([user, own]) => [user, tagsOf(own)]))
}

function tagsOf(grants: readonly StoredRecord[]): GrantedTags {
  const sorted = (some: readonly StoredRecord[]): readonly string[] => [...new Set(some.map((grant) => textOf(grant, 'tag')))].toSorted()
  return { viewTags: sorted(grants), changeTags: sorted(grants.filter(({ may }) => may === 'change')) }
}

type Deriving = { readonly unit: UnitOfWork; readonly store: RecordStore }

/**
 * Stores the tags of the systems that users may view and change in their accounts. Call it in the transaction of each change of groups or
 * grants, with the ids of the users whose groups or grants changed.
 */
export async function deriveGrantedTags({ unit, store }: Deriving, users: Iterable<string>): Promise<void> {
  const ids = [...new Set(users)]
  if (ids.length === 0) return
  await unit.alone(ACCESS)
  const groups = await store.loadWhere('groups', {}, unit)
  const grants = await store.loadWhere('tag_access', {}, unit)
  await store.updateEach(unit, 'users', grantedTags(ids, groups, grants))
}
