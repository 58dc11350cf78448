import { getJson, listRecords } from './client.ts'
import { listOf, recordOf, textOf } from './json.ts'
import { accessKeys } from './access-keys.ts'
import { serverQuery } from './server-query.ts'

/**
 * Texts, of all users, that refer to tags: the tags that limit each API key, and the search part of each saved view's URL. Only admins may
 * read them.
 */
export type NamedTags = { readonly keyTags: readonly (readonly string[])[]; readonly viewSearches: readonly string[] }

/** TanStack Query options for the tags of all API keys and the URL searches of all saved views; admins only. */
export const namedTagsQuery = serverQuery(accessKeys.namedTags, async (signal): Promise<NamedTags> => {
  const [apiKeys, views] = await Promise.all([
    getJson('/api/vedette/api-keys', signal),
    listRecords('saved_views', { fields: 'id,search' }, signal),
  ])
  return {
    keyTags: listOf(recordOf(apiKeys)['items']).map((item) => listOf(recordOf(item)['tags']).flatMap((tag) => textOf(tag) ?? [])),
    viewSearches: views.flatMap(({ search }) => textOf(search) ?? []),
  }
})
