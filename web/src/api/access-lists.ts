import { idsOf, listRecords, roleOf, type Role } from './client.ts'
import { textOf, type JsonRecord } from './json.ts'
import { accessKeys } from './access-keys.ts'
import { liveList } from './live-list.ts'

/** User account as the settings page "Access" lists it for admins: id, name, email address and role. */
export type Person = { readonly id: string; readonly name: string; readonly email: string; readonly role: Role }

/**
 * Group of users to which admins can grant tags. Users whose sign-in provider sends the value `claim` in their list of groups are members
 * too, and get the role `role`. For both, an empty string means none.
 */
export type Group = {
  readonly id: string
  readonly name: string
  /** List of the ids of the users that admins have added to the group. */
  readonly memberIds: readonly string[]
  /** List of the ids of the users that are members because of their provider's groups claim at their last sign-in. */
  readonly claimedIds: readonly string[]
  readonly claim: string
  readonly role: Role | ''
}

/**
 * Holder of a grant: the user or group to which a tag is granted, so that it may view or change systems with that tag. `id` is the id of
 * the user or group record.
 */
export type Holder = { readonly kind: 'user' | 'group'; readonly id: string }

/** Name of the right that a grant gives on the systems with its tag: `view`, or `change`, which includes `view`. */
export type Right = 'view' | 'change'

/**
 * Grant of a tag to a user or group: the holder may view or change the systems with this tag. A tag counts only where an admin, or an
 * enrolment token made by an admin, has set it.
 */
export type Grant = { readonly id: string; readonly tag: string; readonly holder: Holder; readonly may: Right }

/** Tag rule: the hub gives the tag `tag` to every system that matches the filter expression `filter`. Tags set by a rule give no access. */
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

/** Live list of all user accounts in the query cache, kept up to date by realtime events. Only admins may read it. */
export const peopleList = liveList<Person>(accessKeys.people, async (signal) =>
  (await listRecords('users', { fields: 'id,name,email,role' }, signal)).map(readPerson),
)
export const groupsList = liveList<Group>(accessKeys.groups, async (signal) => (await listRecords('groups', {}, signal)).map(readGroup))
export const grantsList = liveList<Grant>(accessKeys.grants, async (signal) => (await listRecords('tag_access', {}, signal)).map(readGrant))
export const tagRulesList = liveList<TagRule>(accessKeys.tagRules, async (signal) =>
  (await listRecords('tag_rules', {}, signal)).map(readTagRule),
)
