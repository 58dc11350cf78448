import type { Grant, Group, Holder, Right, TagRule } from './access-lists.ts'
import { createRecord, deleteRecord, getJson, updateRecord } from './client.ts'
import { numberOf, recordOf, textOf } from './json.ts'
import { accessKeys } from './access-keys.ts'
import { queryClient, serverQuery } from './server-query.ts'

/**
 * Marks cached lists of the settings page "Access" (given by their query keys) as stale, so that they are fetched again. Needed after this
 * page's own changes while there is no realtime connection.
 */
const refetch = async (...lists: readonly (readonly string[])[]): Promise<void> => {
  await Promise.all(lists.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Form values of a group of users: name, members that admins choose, claim value and role. */
export type GroupDraft = Pick<Group, 'name' | 'memberIds' | 'claim' | 'role'>

export async function addGroup({ memberIds, ...values }: GroupDraft): Promise<void> {
  await createRecord('groups', { ...values, members: memberIds })
  await refetch(accessKeys.groups)
}

/**
 * Saves changed values of a group of users at the hub; rejects with RequestFailed. Only members that were added to or removed from the
 * earlier list are sent, so a simultaneous change by another admin is not lost.
 */
export async function changeGroup({ id, memberIds: before }: Group, { memberIds, ...values }: GroupDraft): Promise<void> {
  const joined = memberIds.filter((one) => !before.includes(one))
  const left = before.filter((one) => !memberIds.includes(one))
  await updateRecord('groups', id, {
    ...values,
    ...(joined.length === 0 ? {} : { 'members+': joined }),
    ...(left.length === 0 ? {} : { 'members-': left }),
  })
  await refetch(accessKeys.groups)
}

/** Deletes a group of users at the hub, which deletes the group's grants too; its members stay. Rejects with RequestFailed. */
export async function deleteGroup({ id }: Group): Promise<void> {
  await deleteRecord('groups', id)
  await refetch(accessKeys.groups, accessKeys.grants)
}

export async function grantTag({ kind, id }: Holder, tag: string, may: Right): Promise<void> {
  await createRecord('tag_access', { tag, may, [kind]: id })
  await refetch(accessKeys.grants)
}

export async function changeGrant({ id }: Grant, may: Right): Promise<void> {
  await updateRecord('tag_access', id, { may })
  await refetch(accessKeys.grants)
}

export async function removeGrant({ id }: Grant): Promise<void> {
  await deleteRecord('tag_access', id)
  await refetch(accessKeys.grants)
}

/**
 * Creates a tag rule at the hub or, with an `id`, changes that rule; rejects with RequestFailed. The hub adds and removes the rule's tag on
 * all systems within seconds.
 */
export async function saveTagRule({ tag, filter }: Omit<TagRule, 'id'>, id: string | undefined): Promise<void> {
  if (id === undefined) await createRecord('tag_rules', { tag, filter })
  else await updateRecord('tag_rules', id, { tag, filter })
  await refetch(accessKeys.tagRules)
}

export async function deleteTagRule({ id }: TagRule): Promise<void> {
  await deleteRecord('tag_rules', id)
  await refetch(accessKeys.tagRules)
}

/**
 * Result of checking a filter expression: `count` of the systems that match it now, or the hub's error message `problem` about an invalid
 * one.
 */
export type FilterResult = { readonly count: number } | { readonly problem: string }

async function tryFilter(filter: string, signal: AbortSignal): Promise<FilterResult> {
  const checked = await getJson(`/api/vedette/filter?${new URLSearchParams({ collection: 'systems', filter }).toString()}`, signal)
  const problem = textOf(recordOf(checked)['message'])
  if (problem !== undefined) return { problem }
  const search = new URLSearchParams({ filter, perPage: '1', fields: 'id' }).toString()
  const page = recordOf(await getJson(`/api/collections/systems/records?${search}`, signal))
  return { count: numberOf(page['totalItems']) ?? 0 }
}

/** TanStack Query options that let the hub count the systems matching a filter expression of a tag rule. The data is a `FilterResult`. */
export const matchingSystemsQuery = (filter: string) =>
  serverQuery(accessKeys.matchingSystems(filter), (signal) => tryFilter(filter, signal))
