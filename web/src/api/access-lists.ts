import { idsOf, listRecords, roleOf, type Role } from './client.ts'
import { textOf, type JsonRecord } from './json.ts'
import { accessKeys } from './access-keys.ts'
import { liveList } from './live-list.ts'

/** Account of a person, as admins see it. */
export type Person = { readonly id: string; readonly name: string; readonly email: string; readonly role: Role }

/**
 * Group of people, to which admins grant tags. Who has the value `claim` in a provider's claim about groups belongs to it too, and gets
 * `role`; empty strings = none.
 */
export type Group = {
  readonly id: string
  readonly name: string
  /** Ids of the members whom admins chose. */
  readonly memberIds: readonly string[]
  /** Ids of the people whom a provider's claim made members at their last sign-in. */
  readonly claimedIds: readonly string[]
  readonly claim: string
  readonly role: Role | ''
}

/** Person or group to whom a tag is granted. `id` is that of the account or of the group. */
export type Holder = { readonly kind: 'user' | 'group'; readonly id: string }

/** Rights on the systems with a granted tag. `change` includes `view`. */
export type Right = 'view' | 'change'

/** Grant: its holder may view or change the systems on which an admin, or an enrolment token of an admin, set the tag. */
export type Grant = { readonly id: string; readonly tag: string; readonly holder: Holder; readonly may: Right }

/** Rule that gives a tag to the systems that match a filter. The tag gives no access. */
export type TagRule = { readonly id: string; readonly tag: string; readonly filter: string }

const text = (value: unknown): string => textOf(value) ?? ''

export const readPerson = (record: JsonRecord): Person => ({
  id: text(record['id']),
  name: text(record['name']),
  email: text(record['email']),
  role: roleOf(record),
})

export const readGroup = (record: JsonRecord): Group => ({
  id: text(record['id']),
  name: text(record['name']),
  memberIds: idsOf(record['members']),
  claimedIds: idsOf(record['claimMembers']),
  claim: text(record['claim']),
  role: text(record['role']) === '' ? '' : roleOf(record),
})

export function readGrant(record: JsonRecord): Grant {
  const user = text(record['user'])
  const holder: Holder = user === '' ? { kind: 'group', id: text(record['group']) } : { kind: 'user', id: user }
  return { id: text(record['id']), tag: text(record['tag']), holder, may: record['may'] === 'change' ? 'change' : 'view' }
}

export const readTagRule = (record: JsonRecord): TagRule => ({
  id: text(record['id']),
  tag: text(record['tag']),
  filter: text(record['filter']),
})

/** Lists of all accounts, groups, grants and tag rules in the query cache. Only admins may read them. Realtime events keep them up to date. */
export const peopleList = liveList<Person>(accessKeys.people, async (signal) =>
  (await listRecords('users', { fields: 'id,name,email,role' }, signal)).map(readPerson),
)
export const groupsList = liveList<Group>(accessKeys.groups, async (signal) => (await listRecords('groups', {}, signal)).map(readGroup))
export const grantsList = liveList<Grant>(accessKeys.grants, async (signal) => (await listRecords('tag_access', {}, signal)).map(readGrant))
export const tagRulesList = liveList<TagRule>(accessKeys.tagRules, async (signal) =>
  (await listRecords('tag_rules', {}, signal)).map(readTagRule),
)
