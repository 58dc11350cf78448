import type { Options } from 'minisearch'

/** Options of MiniSearch for the search of the documents. The index is built with them, and the browser reads it with them. */
export const searchOptions: Pick<Options, 'fields' | 'storeFields' | 'searchOptions'> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page', 'address', 'excerpt'],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
