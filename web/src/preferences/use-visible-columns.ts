import { useMemo } from 'react'
import { arrangeColumns } from '../ui/column-order.ts'
import type { TableId } from './settings.ts'
import { useSettings } from './use-preferences.ts'

/** React hook: returns the list of a table's visible columns in the person's order. The result is memoized. */
export function useVisibleColumns<Column extends { readonly id: string }>(table: TableId, columns: readonly Column[]): readonly Column[] {
  const text = useSettings().columns[table]
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]))
    return arrangeColumns([...byId.keys()], text).flatMap(({ id, isHidden }) => (isHidden ? [] : (byId.get(id) ?? [])))
  }, [columns, text])
}
