import { useQuery } from '@tanstack/react-query'
import { grantsList, groupsList, peopleList, type Grant, type Group, type Holder, type Person } from '../../../api/access-lists.ts'
import { systemsQuery } from '../../../api/queries.ts'
import { messageOf } from '../../../api/request-failed.ts'
import type { System } from '../../../api/system-record.ts'
import * as words from '../../../words/messages.js'
import { personName, sortPeople, tagReach, type AccessState, type TagReach } from './access-model.ts'

/**
 * Data of the settings page "Access": lists of users, groups, grants and systems, and functions that look up names and numbers in them. A
 * list is `undefined` while it is not loaded, also after a failed request.
 */
export type Access = {
  readonly groups: readonly Group[] | undefined
  readonly grants: readonly Grant[] | undefined
  /** List of all user accounts, sorted by displayed name; `undefined` while not loaded. */
  readonly people: readonly Person[] | undefined
  readonly systems: readonly System[] | undefined
  /** Message, for display, about a list of the settings page "Access" that could not be loaded; `undefined` without a failure. */
  readonly failure: string | undefined
  /** Function that repeats the failed requests for lists (users, groups, grants, systems) of the settings page "Access". */
  readonly retry: () => void
  /** Returns the numbers of systems with a tag on which its grants give access or not; `undefined` while the systems are not loaded. */
  readonly reachOf: (tag: string) => TagReach | undefined
  /**
   * Returns the displayed name of a grant's holder: the user's name or email address, or the group's name. Returns the id while the list is
   * not loaded and for an unknown group; for a deleted user a translated text.
   */
  readonly nameOf: (holder: Holder) => string
  /** Users, groups, grants and systems together, to compute who loses access by a change; `undefined` while one of them is not loaded. */
  readonly state: (AccessState & { readonly systems: readonly System[] }) | undefined
}

/**
 * React hook: loads users, groups, grants and systems for the settings page "Access", and returns them with lookup functions. It does not
 * subscribe to realtime events; the page does that with `followAccess`.
 */
export function useAccess(): Access {
  const groupsQuery = useQuery(groupsList.query)
  const grantsQuery = useQuery(grantsList.query)
  const peopleQuery = useQuery({ ...peopleList.query, select: sortPeople })
  const fleetQuery = useQuery(systemsQuery)
  const { data: reach } = useQuery({ ...systemsQuery, select: tagReach })
  const [{ data: groups }, { data: grants }, { data: people }, { data: systems }] = [groupsQuery, grantsQuery, peopleQuery, fleetQuery]
  const failed = [groupsQuery, grantsQuery, peopleQuery, fleetQuery].filter(({ isError, data }) => isError && data === undefined)
  const [first] = failed
  return {
    groups,
    grants,
    people,
    systems,
    failure: first && messageOf(first.error),
    retry: () => failed.forEach((query) => void query.refetch()),
    reachOf: (tag) => reach?.(tag),
    nameOf({ kind, id }) {
      if (kind === 'group') return groups?.find((group) => group.id === id)?.name ?? id
      const person = people?.find((one) => one.id === id)
      return person === undefined ? (people === undefined ? id : words.person_gone()) : personName(person)
    },
    state: groups && grants && people && systems && { groups, grants, people, systems },
  }
}
