import { useMemo } from 'react'
import { arrangeColumns } from '../ui/column-order.ts'
import type { TableId } from './settings.ts'
import { useSettings } from './use-preferences.ts'

/** React hook: returns the list of visible columns of a table in the order of the user's settings. The result is memoized. */
export function useVisibleColumns<Column extends { readonly id: string }>(table: TableId, columns: readonly Column[]): readonly Column[] {
  const text = useSettings().columns[table]
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]))
    return arrangeColumns([...byId.keys()], text).flatMap(({ id, isHidden }) => (isHidden ? [] : (byId.get(id) ?? [])))
  }, [columns, text])
}
