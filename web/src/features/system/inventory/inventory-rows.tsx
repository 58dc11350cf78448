import type { ReactNode } from 'react'
import { useSettings } from '../../../preferences/use-preferences.ts'
import { VirtualList } from '../../../ui/virtual-list.tsx'

/** Pair of heights of a row of an inventory table in px: normal and compact layout. They must match CSS `--cell-height`. */
const [ROW_PIXELS, COMPACT_ROW_PIXELS] = [36, 28]

/**
 * Maximum number of rows, 50, up to which a table renders all its rows, so that the browser's page search finds them. Longer tables are
 * virtualized.
 */
const WHOLE_ROWS = 50

/** Returns the value of the table's `aria-rowcount`; `undefined` when the table has so few rows that it renders all. */
export const rowCountOf = (rows: number): number | undefined => (rows > WHOLE_ROWS ? rows : undefined)

type InventoryRowsProps<Row> = {
  rows: readonly Row[]
  /**
   * Function that renders one row, an element with a React key. `rowIndex` is its `aria-rowindex`, `undefined` when the table renders all
   * rows.
   */
  children: (row: Row, rowIndex: number | undefined) => ReactNode
}

/** React component: table body. It renders all rows if there are at most 50, otherwise only those near the visible area. */
export function InventoryRows<Row>({ rows, children }: InventoryRowsProps<Row>) {
  const { isCompact } = useSettings()
  const isWhole = rowCountOf(rows.length) === undefined
  return (
    <VirtualList as="tbody" rows={rows} rowPixels={isCompact ? COMPACT_ROW_PIXELS : ROW_PIXELS} isWhole={isWhole} className="text-note">
      {(row, index) => children(row, isWhole ? undefined : index + 2)}
    </VirtualList>
  )
}
