import type { SearchParameter } from '../../navigation/search.ts'
import { fleetFilter } from '../../navigation/tagged-systems.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { readStored, writeStored } from '../../preferences/stored-text.ts'
import { groupingText, parseGrouping, readGrouping, type FleetGrouping } from './grouping.ts'
import { nextSort, parseSort, sortText, type ColumnId, type Sort } from './fleet-model.ts'

const SORT_KEY = 'ui-fleet-sort'
const GROUP_KEY = 'ui-fleet-group'

const sortField: SearchParameter<Sort | undefined> = { otherwise: undefined, read: parseSort, write: sortText }
const groupField: SearchParameter<FleetGrouping | undefined> = {
  otherwise: undefined,
  read: parseGrouping,
  write: (grouping) => (grouping === undefined ? '' : groupingText(grouping)),
}

/** Object with the codecs of the URL parameters of All Systems: `filter`, `sort` and `group`. Saved views contain them. */
export const fleetFields = { filter: fleetFilter, sort: sortField, group: groupField }

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
  const sort = values.sort ?? parseSort(readStored(SORT_KEY))
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
