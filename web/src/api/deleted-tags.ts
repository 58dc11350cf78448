import { accessKeys } from './access-keys.ts'
import { getJson, sendRequest } from './client.ts'
import { listOf, numberOf, recordOf, textOf, timeOf } from './json.ts'
import { queryClient, serverQuery } from './server-query.ts'

/**
 * Tag that an admin deleted within the last day; the deletion can still be undone. `systems` is the number of systems that had it, `atMs`
 * epoch ms. `by` is the admin's email address, empty if that account is gone or no admin any more.
 */
export type DeletedTag = { readonly id: string; readonly tag: string; readonly systems: number; readonly by: string; readonly atMs: number }

/** TanStack Query options for the list of tags deleted within the last day, newest first, at most 100. Only admins may read it. */
export const deletedTagsQuery = serverQuery(accessKeys.deletedTags, async (signal) =>
  listOf(recordOf(await getJson('/api/vedette/deleted-tags', signal))['items']).flatMap((item): readonly DeletedTag[] => {
    const { id, tag, systems, by, deleted } = recordOf(item)
    const [known, atMs] = [textOf(id), timeOf(deleted)]
    if (known === undefined || atMs === undefined) return []
    return [{ id: known, tag: textOf(tag) ?? '', systems: numberOf(systems) ?? 0, by: textOf(by) ?? '', atMs }]
  }),
)

/**
 * Marks all cached lists of the settings page "Access" (groups, grants, tags) as stale, because deleting or restoring a tag changes several
 * of them.
 */
const refetch = (): Promise<void> => queryClient.invalidateQueries({ queryKey: accessKeys.all })

/**
 * Deletes a tag at the hub: from all systems, with its grants and tag rules. A tag that an agent reports stays, as reported by the agent.
 * Rejects with RequestFailed (404) if only agents report it or nothing has it.
 */
export async function deleteTag(tag: string): Promise<void> {
  await sendRequest('POST', '/api/vedette/deleted-tags', { tag })
  await refetch()
}

/**
 * Undoes the deletion of a tag at the hub. Systems that still exist get it again, unless they have the maximum number of tags. Its tag
 * rules are restored, and its grants to users and groups that still exist. Rejects with RequestFailed (404) a day after the deletion.
 */
export async function restoreTag({ id }: DeletedTag): Promise<void> {
  await sendRequest('POST', `/api/vedette/deleted-tags/${encodeURIComponent(id)}/restore`)
  await refetch()
}
