import { useMemo } from 'react'
import { arrangeColumns } from '../ui/column-order.ts'
import type { TableId } from './settings.ts'
import { useSettings } from './use-preferences.ts'

/** The columns of a table that a person wants to see, in their order. The same list while neither changes. */
export function useVisibleColumns<Column extends { readonly id: string }>(table: TableId, columns: readonly Column[]): readonly Column[] {
  const text = useSettings().columns[table]
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]))
    return arrangeColumns([...byId.keys()], text).flatMap(({ id, isHidden }) => (isHidden ? [] : (byId.get(id) ?? [])))
  }, [columns, text])
}
