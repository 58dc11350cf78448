import type { Grant, Group, Person, Right } from '../../../api/access-lists.ts'
import type { System } from '../../../api/system-record.ts'
import { mayGiveAccess } from '../../../api/system-tags.ts'
import { compareNames } from '../../../format/compare.ts'

/**
 * Lists of all users, groups and grants (a tag granted to a user or group). From them the settings page "Access" computes who may view and
 * change which systems.
 */
export type AccessState = { readonly people: readonly Person[]; readonly groups: readonly Group[]; readonly grants: readonly Grant[] }

/**
 * Numbers of the systems with a tag. `opened` counts those on which a grant of the tag gives access. `waiting` counts those on which it
 * does not, because no admin has set or accepted the tag there.
 */
export type TagReach = { readonly opened: number; readonly waiting: number }

const noReach: TagReach = { opened: 0, waiting: 0 }

/**
 * Returns a function that takes a tag. Its result has two numbers of systems with the tag: those on which a grant of it gives access
 * (`opened`), and the others (`waiting`).
 */
export function tagReach(systems: readonly System[]): (tag: string) => TagReach {
  const reach = new Map<string, TagReach>()
  for (const { tags } of systems) {
    for (const tag of tags) {
      const { opened, waiting } = reach.get(tag.text) ?? noReach
      const isOpen = mayGiveAccess(tag)
      reach.set(tag.text, { opened: opened + Number(isOpen), waiting: waiting + Number(!isOpen) })
    }
  }
  return (tag) => reach.get(tag) ?? noReach
}

/** Returns the name of a user for display: the account's name or, if empty, the email address. */
export const personName = ({ name, email }: Person): string => name || email

/** Returns a list of the users sorted by their displayed names (account name, else email address). */
export const sortPeople = (people: readonly Person[]): readonly Person[] =>
  people.toSorted((a, b) => compareNames(personName(a), personName(b)))

/**
 * Access that one user loses by a change. `hidden` is the number of systems that become invisible, `readOnly` that of systems which the
 * user still sees but can no longer change.
 */
export type AccessLoss = { readonly person: Person; readonly hidden: number; readonly readOnly: number }

/**
 * Returns a list of the users who lose access to systems when groups or grants change from the state `before` to `after`, sorted by name.
 * For each user it has the numbers of systems that become invisible or only readable.
 */
export function lostAccess(systems: readonly System[], before: AccessState, after: AccessState): readonly AccessLoss[] {
  const [grantedBefore, grantedAfter] = [tagsByPerson(before), tagsByPerson(after)]
  const known = systems.map(({ userIds, tags }) => ({ userIds, trusted: tags.filter(mayGiveAccess).map(({ text }) => text) }))
  const losses = before.people.map((person) =>
    lossOf(person, known, grantedBefore.get(person.id) ?? noTags, grantedAfter.get(person.id) ?? noTags),
  )
  return losses
    .filter(({ hidden, readOnly }) => hidden > 0 || readOnly > 0)
    .toSorted((a, b) => compareNames(personName(a.person), personName(b.person)))
}

/** Facts about one system that decide who has access to it: ids of its users, and its trusted tags (those that can give access). */
type SystemAccess = { readonly userIds: readonly string[]; readonly trusted: readonly string[] }

function lossOf(person: Person, systems: readonly SystemAccess[], had: GrantedTags, has: GrantedTags): AccessLoss {
  const keepsAll = isWithin(had.view, has.view) && isWithin(had.change, has.change)
  // Admins see all systems.
  if (person.role === 'admin' || keepsAll) return { person, hidden: 0, readOnly: 0 }
  const others = systems.filter(({ userIds }) => !userIds.includes(person.id))
  const isLost = ({ trusted }: SystemAccess, right: Right) =>
    trusted.some((tag) => had[right].has(tag)) && !trusted.some((tag) => has[right].has(tag))
  const hidden = others.filter((system) => isLost(system, 'view'))
  const readOnly = person.role === 'readonly' ? [] : others.filter((system) => isLost(system, 'change') && !isLost(system, 'view'))
  return { person, hidden: hidden.length, readOnly: readOnly.length }
}

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean => [...some].every((one) => all.has(one))

/** Returns the list of ids of all members of a group without duplicates: those that admins added, and those by the provider's claim. */
export const peopleOf = ({ memberIds, claimedIds }: Group): readonly string[] => [...new Set([...memberIds, ...claimedIds])]

type GrantedTags = { readonly view: Set<string>; readonly change: Set<string> }

const noTags: GrantedTags = { view: new Set(), change: new Set() }

/**
 * Returns a map from user id to two sets of tags: `view`, the tags whose systems the user may view, and `change`. Grants to the user and to
 * the user's groups count.
 */
function tagsByPerson({ groups, grants }: AccessState): ReadonlyMap<string, GrantedTags> {
  const members = new Map(groups.map((group) => [group.id, peopleOf(group)]))
  const tags = new Map<string, GrantedTags>()
  for (const { tag, holder, may } of grants) {
    for (const id of holder.kind === 'user' ? [holder.id] : (members.get(holder.id) ?? [])) {
      const its = tags.get(id) ?? { view: new Set(), change: new Set() }
      its.view.add(tag)
      if (may === 'change') its.change.add(tag)
      tags.set(id, its)
    }
  }
  return tags
}

/** Returns the access state (users, groups, grants) without the given group, to compute who would lose access by deleting it. */
export const withoutGroup = (state: AccessState, { id }: Group): AccessState => ({
  ...state,
  groups: state.groups.filter((one) => one.id !== id),
})

/** Returns the access state (users, groups, grants) without the given grant, to compute who would lose access by removing it. */
export const withoutGrant = (state: AccessState, { id }: Grant): AccessState => ({
  ...state,
  grants: state.grants.filter((one) => one.id !== id),
})

/**
 * Returns the access state (users, groups, grants) without all grants of the given tag, to compute who would lose access by deleting the
 * tag.
 */
export const withoutTag = (state: AccessState, tag: string): AccessState => ({
  ...state,
  grants: state.grants.filter((one) => one.tag !== tag),
})

/**
 * Returns the access state (users, groups, grants) in which admins have added the users `memberIds` (ids) to the group, and no others.
 * Members by claim stay. It serves to compute who would lose access.
 */
export const withMembers = (state: AccessState, { id }: Group, memberIds: readonly string[]): AccessState => ({
  ...state,
  groups: state.groups.map((one) => (one.id === id ? { ...one, memberIds } : one)),
})
