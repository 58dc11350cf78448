import { paths } from '../paths.ts'
import { addressOf, type SearchParameter } from './search.ts'

/** Maximum number of systems in a comparison; more lines cannot be distinguished. */
export const MOST_COMPARED = 12

/** Codec for the list of ids of compared systems in a URL; invalid ids and those beyond 12 are dropped. Ids survive a renaming. */
export const comparedSystems: SearchParameter<readonly string[]> = {
  otherwise: [],
  read: (text) => [...new Set(text.split(',').filter((id) => /^\w{1,40}$/.test(id)))].slice(0, MOST_COMPARED),
  write: (ids) => ids.join(','),
}

/** Returns the URL of the comparison page for the systems with these ids. */
export const comparisonOf = (ids: readonly string[]): string => addressOf(paths.compare, { systems: comparedSystems }, { systems: ids })
