import type { TableSort } from '../../../ui/sortable-table.tsx'
import { textField, type SearchParameter } from '../../../navigation/search.ts'
import { useSearchValues } from '../../../navigation/use-search-values.ts'

/** Codec (functions that read and write) for the sort order in a URL parameter: `cpu` ascending, `-cpu` descending. */
const sortField: SearchParameter<TableSort | undefined> = {
  otherwise: undefined,
  read: (text) => (text.length > 40 ? undefined : { column: text.replace(/^-/, ''), descending: text.startsWith('-') }),
  write: (sort) => (sort === undefined ? '' : `${sort.descending ? '-' : ''}${sort.column}`),
}
const filterField = textField(200)

const fields = {
  containersSort: sortField,
  containersFilter: filterField,
  servicesSort: sortField,
  servicesFilter: filterField,
  drivesSort: sortField,
  drivesFilter: filterField,
}

/**
 * React hook: returns sort order and filter text of the inventory table `table`, which are stored in the URL, and functions that change
 * them.
 */
export function useTableView(table: 'containers' | 'services' | 'drives') {
  const { values, change } = useSearchValues(fields)
  return {
    sort: values[`${table}Sort`],
    filter: values[`${table}Filter`],
    setSort: (sort: TableSort) => change({ [`${table}Sort`]: sort }),
    setFilter: (filter: string) => change({ [`${table}Filter`]: filter }),
  }
}
