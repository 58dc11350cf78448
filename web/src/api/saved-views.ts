import { createRecord, deleteRecord, filterOf, listRecords, signedInUser, updateRecord } from './client.ts'
import { textOf, type JsonRecord } from './json.ts'
import { keys } from './keys.ts'
import { queryClient, serverQuery } from './server-query.ts'

/**
 * Saved view of the page All Systems: a name for filter, sort order and grouping, as search part of the page's URL. Every signed-in user
 * sees shared views.
 */
export type SavedView = {
  readonly id: string
  readonly name: string
  /** Search part of the URL that the view opens, such as `filter=status%3Adown`. It may be any text; read only known parameters from it. */
  readonly search: string
  readonly isShared: boolean
  /** True when the saved view belongs to the signed-in user; false for a view that another user shares. */
  readonly isOwn: boolean
}

const COLLECTION = 'saved_views'

const readView = (record: JsonRecord): SavedView => ({
  id: textOf(record['id']) ?? '',
  name: textOf(record['name']) ?? '',
  search: textOf(record['search']) ?? '',
  isShared: record['shared'] === true,
  isOwn: record['user'] === signedInUser()?.id,
})

/**
 * TanStack Query options for the list of the signed-in user's views and all shared ones, sorted by name. An admin may read more, so the
 * request filters them.
 */
export const savedViewsQuery = serverQuery(keys.savedViews, async (signal) => {
  const filter = filterOf('user = {:userId} || shared = true', { userId: signedInUser()?.id ?? '' })
  return (await listRecords(COLLECTION, { sort: 'name', filter }, signal)).map(readView)
})

const refetchViews = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.savedViews })

/** Form values of a view to save: name, search part of the URL, and whether every user sees it. */
export type ViewDraft = { readonly name: string; readonly search: string; readonly isShared: boolean }

/** Creates a saved view of the signed-in user at the hub or, with an `id`, overwrites that view. Rejects with RequestFailed. */
export async function saveView({ name, search, isShared }: ViewDraft, id: string | undefined): Promise<void> {
  const fields = { name, search, shared: isShared }
  if (id === undefined) await createRecord(COLLECTION, { ...fields, user: signedInUser()?.id ?? '' })
  else await updateRecord(COLLECTION, id, fields)
  await refetchViews()
}

export async function renameView({ id }: SavedView, name: string): Promise<void> {
  await updateRecord(COLLECTION, id, { name })
  await refetchViews()
}

export async function shareView({ id }: SavedView, isShared: boolean): Promise<void> {
  await updateRecord(COLLECTION, id, { shared: isShared })
  await refetchViews()
}

export async function deleteView({ id }: SavedView): Promise<void> {
  await deleteRecord(COLLECTION, id)
  await refetchViews()
}
