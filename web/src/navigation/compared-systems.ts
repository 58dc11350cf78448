import { paths } from '../paths.ts'
import { addressOf, type SearchParameter } from './search.ts'

/**
 * Maximum number of systems in a comparison, 12. Further ids in the URL are ignored, because more lines in one chart cannot be
 * distinguished.
 */
export const MOST_COMPARED = 12

/**
 * Codec (functions that read and write) for the list of ids of the compared systems in a URL parameter. Ids stay valid when a system is
 * renamed.
 */
export const comparedSystems: SearchParameter<readonly string[]> = {
  otherwise: [],
  read: (text) => [...new Set(text.split(',').filter((id) => /^\w{1,40}$/.test(id)))].slice(0, MOST_COMPARED),
  write: (ids) => ids.join(','),
}

/** Returns the URL path of the page that compares the systems with these ids: `/compare?systems=…`. */
export const comparisonOf = (ids: readonly string[]): string => addressOf(paths.compare, { systems: comparedSystems }, { systems: ids })
