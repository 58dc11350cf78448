import type { UnitOfWork } from '../../platform/db/database.ts'
import { idsIn } from '../../records/filter/matches.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/**
 * Name (`access`) of the database lock for changes of groups, tag grants and accounts. With it, the tags that are derived for users miss no
 * change.
 */
export const ACCESS = 'access'

/**
 * Returns the ids of the users in a group (record): those whom admins added, and those whom an identity provider's claim added. Empty for
 * `undefined`.
 */
export const membersOf = (group: StoredRecord | undefined): ReadonlySet<string> =>
  new Set([...idsIn(group?.['members']), ...idsIn(group?.['claimMembers'])])

/**
 * Tags of the systems that a user may view (`viewTags`) and change (`changeTags`): from own grants and those of the user's groups, sorted,
 * each once.
 */
export type GrantedTags = { readonly viewTags: readonly string[]; readonly changeTags: readonly string[] }

/**
 * Returns a map from user id to the tags whose systems the user may view and change. They come from the given grants (`tag_access`) to the
 * user or to the user's groups. The tags to change are also tags to view.
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
 * Recomputes for some users (by id) the tags of systems that they may view and change, and stores them in their accounts. Call it in each
 * transaction that changes groups or grants.
 */
export async function deriveGrantedTags({ unit, store }: Deriving, users: Iterable<string>): Promise<void> {
  const ids = [...new Set(users)]
  if (ids.length === 0) return
  await unit.alone(ACCESS)
  const groups = await store.loadWhere('groups', {}, unit)
  const grants = await store.loadWhere('tag_access', {}, unit)
  await store.updateEach(unit, 'users', grantedTags(ids, groups, grants))
}
