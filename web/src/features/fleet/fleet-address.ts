import { addressOf, changeSearch, readSearch, type SearchParameter } from '../../navigation/search.ts'
import { fleetFilter } from '../../navigation/tagged-systems.ts'
import { paths } from '../../paths.ts'
import { parseSort, sortText, type Sort } from './fleet-model.ts'
import { groupingText, parseGrouping, type FleetGrouping } from './grouping.ts'

/** Word of the URL parameter `sort` for no sorting, also where this browser stores a sort order. Saved views contain it. */
export const NO_SORT = 'none'

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
export const fleetFields = { filter: fleetFilter, sort: sortField, group: groupField }

/** Filter, sort order and grouping of the list of systems. */
type ShownList = { readonly filter: string; readonly sort: Sort | undefined; readonly grouping: FleetGrouping }

/** Returns the search part of the URL that shows the list of systems as it is now, also in a browser that stores another sort order. */
export const viewSearch = ({ filter, sort, grouping }: ShownList): string =>
  changeSearch(fleetFields, '', { filter, sort: sort ?? NO_SORT, group: grouping })

/** Returns the URL of All Systems for the search part of a saved view. Other parameters in it, such as an open dialog, are left out. */
export const viewAddress = (search: string): string => addressOf(paths.home, fleetFields, readSearch(fleetFields, search))
