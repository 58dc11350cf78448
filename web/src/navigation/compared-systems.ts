import { paths } from '../paths.ts'
import { addressOf, type SearchField } from './search.ts'

/** More lines in one chart cannot be told apart. */
export const MOST_COMPARED = 12

/** Ids of systems in an address. An id stays when its system is renamed. */
export const comparedSystems: SearchField<readonly string[]> = {
  otherwise: [],
  read: (text) => [...new Set(text.split(',').filter((id) => /^\w{1,40}$/.test(id)))].slice(0, MOST_COMPARED),
  write: (ids) => ids.join(','),
}

/** The address of the page that compares these systems. */
export const comparisonOf = (ids: readonly string[]): string => addressOf(paths.compare, { systems: comparedSystems }, { systems: ids })
