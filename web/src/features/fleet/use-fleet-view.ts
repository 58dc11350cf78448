import { useSearchValues } from '../../navigation/use-search-values.ts'
import { readStored, writeStored } from '../../preferences/stored-text.ts'
import { fleetFields, NO_SORT } from './fleet-address.ts'
import { nextSort, parseSort, sortText, type ColumnId, type Sort } from './fleet-model.ts'
import { groupingText, readGrouping, type FleetGrouping } from './grouping.ts'

const SORT_KEY = 'ui-fleet-sort'
const GROUP_KEY = 'ui-fleet-group'

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
