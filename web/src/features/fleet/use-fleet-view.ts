import { useCallback } from 'react'
import { useSearchParams } from 'wouter'
import { readStored, writeStored } from '../../preferences/stored-text.ts'
import { nextSort, parseSort, sortText, type ColumnId, type Sort } from './fleet-model.ts'

const SORT_KEY = 'ui-fleet-sort'

export type FleetView = {
  readonly filter: string
  readonly sort: Sort | undefined
  readonly setFilter: (filter: string) => void
  readonly pressColumn: (column: ColumnId) => void
}

/** Filter and order, which stand in the address; the order is also remembered for the next visit. */
export function useFleetView(): FleetView {
  const [search, setSearch] = useSearchParams()
  const sort = parseSort(search.get('sort') ?? readStored(SORT_KEY))

  const set = useCallback(
    (name: string, value: string) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current)
          if (value === '') next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: true },
      ),
    [setSearch],
  )
  return {
    filter: search.get('filter') ?? '',
    sort,
    setFilter: (filter) => set('filter', filter),
    pressColumn: (column) => {
      const text = sortText(nextSort(sort, column))
      writeStored(SORT_KEY, text)
      set('sort', text)
    },
  }
}
