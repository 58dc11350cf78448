import { addressOf, changeSearch, readSearch, type SearchParameter } from '../../navigation/search.ts'
import { fleetFilter } from '../../navigation/tagged-systems.ts'
import { paths } from '../../paths.ts'
import { parseSort, sortText, type Sort } from './fleet-model.ts'
import { groupingText, parseGrouping, type FleetGrouping } from './grouping.ts'

/**
 * Value `none` of the URL parameter `sort` on All Systems: no column to sort by, even if this browser stores one. Systems with problems
 * then come first. Saved views contain it.
 */
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

/**
 * Object with the codecs (functions that read and write the text) of three URL parameters of the page All Systems: `filter`, `sort` and
 * `group`.
 */
export const fleetFields = { filter: fleetFilter, sort: sortField, group: groupField }

/** Filter text, sort order and grouping of the list of systems on the page All Systems. */
type ShownList = { readonly filter: string; readonly sort: Sort | undefined; readonly grouping: FleetGrouping }

/**
 * Returns the search part of the URL that shows the list of systems with this filter, sort order and grouping. The URL names them all, so
 * that it works in a browser that stores other ones.
 */
export const viewSearch = ({ filter, sort, grouping }: ShownList): string =>
  changeSearch(fleetFields, '', { filter, sort: sort ?? NO_SORT, group: grouping })

/**
 * Returns the URL path of the page All Systems, such as `/?filter=status%3Adown`, for the search part of a saved view. Only filter, sort
 * order and grouping are taken from it; others, such as an open dialog, are dropped.
 */
export const viewAddress = (search: string): string => addressOf(paths.home, fleetFields, readSearch(fleetFields, search))
