import type { Grant, Group, Holder, Right, TagRule } from './access-lists.ts'
import { createRecord, deleteRecord, getJson, updateRecord } from './client.ts'
import { numberOf, recordOf, textOf } from './json.ts'
import { accessKeys } from './access-keys.ts'
import { queryClient, serverQuery } from './server-query.ts'

/** Marks lists as stale. Needed after a change by this page while no realtime connection reports changes. */
const refetch = async (...lists: readonly (readonly string[])[]): Promise<void> => {
  await Promise.all(lists.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Values of a group that admins set. */
export type GroupDraft = Pick<Group, 'name' | 'memberIds' | 'claim' | 'role'>

export async function addGroup({ memberIds, ...values }: GroupDraft): Promise<void> {
  await createRecord('groups', { ...values, members: memberIds })
  await refetch(accessKeys.groups)
}

/** Changes a group. It sends only members who joined or left, so that a simultaneous change by another admin stays. */
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

/** Deletes a group. The hub deletes its grants with it. */
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

/** Saves a tag rule: a new one or, with an id, in place of an existing one. The hub then changes the tags of systems within seconds. */
export async function saveTagRule({ tag, filter }: Omit<TagRule, 'id'>, id: string | undefined): Promise<void> {
  if (id === undefined) await createRecord('tag_rules', { tag, filter })
  else await updateRecord('tag_rules', id, { tag, filter })
  await refetch(accessKeys.tagRules)
}

export async function deleteTagRule({ id }: TagRule): Promise<void> {
  await deleteRecord('tag_rules', id)
  await refetch(accessKeys.tagRules)
}

/** Result of a filter of systems: the number of systems that match it now, or the hub's message about an invalid filter. */
export type FilterResult = { readonly count: number } | { readonly problem: string }

async function tryFilter(filter: string, signal: AbortSignal): Promise<FilterResult> {
  const checked = await getJson(`/api/vedette/filter?${new URLSearchParams({ collection: 'systems', filter }).toString()}`, signal)
  const problem = textOf(recordOf(checked)['message'])
  if (problem !== undefined) return { problem }
  const search = new URLSearchParams({ filter, perPage: '1', fields: 'id' }).toString()
  const page = recordOf(await getJson(`/api/collections/systems/records?${search}`, signal))
  return { count: numberOf(page['totalItems']) ?? 0 }
}

/** TanStack Query options for the systems that match a filter now. The hub evaluates it, by the filter language of tag rules. */
export const matchingSystemsQuery = (filter: string) =>
  serverQuery(accessKeys.matchingSystems(filter), (signal) => tryFilter(filter, signal))
