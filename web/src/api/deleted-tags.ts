import { accessKeys } from './access-keys.ts'
import { getJson, sendRequest } from './client.ts'
import { listOf, numberOf, recordOf, textOf, timeOf } from './json.ts'
import { queryClient, serverQuery } from './server-query.ts'

/** Tag that an admin deleted in the last day, which can be undone. `by` is an email address; empty string = the account is gone. */
export type DeletedTag = { readonly id: string; readonly tag: string; readonly systems: number; readonly by: string; readonly atMs: number }

/** TanStack Query options for the tags that were deleted in the last day, the newest first. Only admins may read them. */
export const deletedTagsQuery = serverQuery(accessKeys.deletedTags, async (signal) =>
  listOf(recordOf(await getJson('/api/vedette/deleted-tags', signal))['items']).flatMap((item): readonly DeletedTag[] => {
    const { id, tag, systems, by, deleted } = recordOf(item)
    const [known, atMs] = [textOf(id), timeOf(deleted)]
    if (known === undefined || atMs === undefined) return []
    return [{ id: known, tag: textOf(tag) ?? '', systems: numberOf(systems) ?? 0, by: textOf(by) ?? '', atMs }]
  }),
)

/** Marks all lists of the page about access as stale, because a deletion changes several. */
const refetch = (): Promise<void> => queryClient.invalidateQueries({ queryKey: accessKeys.all })

/** Deletes a tag from all systems, with its grants and tag rules. Agents that report it keep it. */
export async function deleteTag(tag: string): Promise<void> {
  await sendRequest('POST', '/api/vedette/deleted-tags', { tag })
  await refetch()
}

/** Undoes the deletion of a tag. */
export async function restoreTag({ id }: DeletedTag): Promise<void> {
  await sendRequest('POST', `/api/vedette/deleted-tags/${encodeURIComponent(id)}/restore`)
  await refetch()
}
