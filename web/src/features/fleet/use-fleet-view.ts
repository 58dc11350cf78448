import { textField, type SearchParameter } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { readStored, writeStored } from '../../preferences/stored-text.ts'
import { nextSort, parseSort, sortText, type ColumnId, type Sort } from './fleet-model.ts'

const SORT_KEY = 'ui-fleet-sort'

const sortField: SearchParameter<Sort | undefined> = { otherwise: undefined, read: parseSort, write: sortText }
const fields = { filter: textField(500), sort: sortField }

export type FleetView = {
  readonly filter: string
  readonly sort: Sort | undefined
  readonly setFilter: (filter: string) => void
  readonly pressColumn: (column: ColumnId) => void
}

/**
 * React hook: returns filter and sort order of the systems table, which are stored in the URL, and functions that change them. This browser
 * also stores the sort order for later visits.
 */
export function useFleetView(): FleetView {
  const { values, change } = useSearchValues(fields)
  const sort = values.sort ?? parseSort(readStored(SORT_KEY))
  return {
    filter: values.filter,
    sort,
    setFilter: (filter) => change({ filter }),
    pressColumn: (column) => {
      const next = nextSort(sort, column)
      writeStored(SORT_KEY, sortText(next))
      change({ sort: next })
    },
  }
}
