import type { Options } from 'minisearch'

/**
 * Options of MiniSearch (full-text search in the browser) for the documents: fields, stored fields, and matching. The build of the index
 * and the browser use the same ones.
 */
export const searchOptions: Pick<Options, 'fields' | 'storeFields' | 'searchOptions'> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page', 'address', 'excerpt'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
