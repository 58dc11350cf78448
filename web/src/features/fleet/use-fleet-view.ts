import { addressOf, changeSearch, readSearch, type SearchParameter } from '../../navigation/search.ts'
import { fleetFilter } from '../../navigation/tagged-systems.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { paths } from '../../paths.ts'
import { readStored, writeStored } from '../../preferences/stored-text.ts'
import { groupingText, parseGrouping, readGrouping, type FleetGrouping } from './grouping.ts'
import { nextSort, parseSort, sortText, type ColumnId, type Sort } from './fleet-model.ts'

const SORT_KEY = 'ui-fleet-sort'
const GROUP_KEY = 'ui-fleet-group'

/** Word of the URL parameter `sort` for no sorting, also where this browser stores a sort order. Saved views contain it. */
const NO_SORT = 'none'

const sortField: SearchParameter<Sort | typeof NO_SORT | undefined> = {
  otherwise: undefined,
  read: (text) => (text === NO_SORT ? text : parseSort(text)),
  write: (sort) => (sort === NO_SORT ? sort : sortText(sort)),
}
const groupField: SearchParameter<FleetGrouping | undefined> = {
  otherwise: undefined,
  read: parseGrouping,
  write: (grouping) => (grouping === undefined ? '' : groupingText(grouping)),
}

/** Object with the codecs of the URL parameters of All Systems: `filter`, `sort` and `group`. */
const fleetFields = { filter: fleetFilter, sort: sortField, group: groupField }

/** Returns the search part of the URL that shows the list of systems as it is now, also in a browser that stores another sort order. */
export const viewSearch = ({ filter, sort, grouping }: Pick<FleetView, 'filter' | 'sort' | 'grouping'>): string =>
  changeSearch(fleetFields, '', { filter, sort: sort ?? NO_SORT, group: grouping })

/** Returns the URL of All Systems for the search part of a saved view. Other parameters in it, such as an open dialog, are left out. */
export const viewAddress = (search: string): string => addressOf(paths.home, fleetFields, readSearch(fleetFields, search))

export type FleetView = {
  readonly filter: string
  readonly sort: Sort | undefined
  readonly grouping: FleetGrouping
  readonly setFilter: (filter: string) => void
  readonly setGrouping: (grouping: FleetGrouping) => void
  readonly pressColumn: (column: ColumnId) => void
}

/**
 * React hook: returns filter, sort order and grouping of the systems table, which are stored in the URL, and functions that change them.
 * This browser also stores sort order and grouping for later visits.
 */
export function useFleetView(): FleetView {
  const { values, change } = useSearchValues(fleetFields)
  const sort = values.sort === NO_SORT ? undefined : (values.sort ?? parseSort(readStored(SORT_KEY)))
  return {
    filter: values.filter,
    sort,
    grouping: values.group ?? readGrouping(readStored(GROUP_KEY)),
    setFilter: (filter) => change({ filter }),
    setGrouping: (grouping) => {
      writeStored(GROUP_KEY, groupingText(grouping))
      change({ group: grouping })
    },
    pressColumn: (column) => {
      const next = nextSort(sort, column)
      writeStored(SORT_KEY, sortText(next))
      change({ sort: next })
    },
  }
}
