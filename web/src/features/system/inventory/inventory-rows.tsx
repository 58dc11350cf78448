import type { ReactNode } from 'react'
import { useSettings } from '../../../preferences/use-preferences.ts'
import { VirtualList } from '../../../ui/virtual-list.tsx'

/** Pair of row heights in px, normal and compact; must match CSS `--cell-height`. */
const [ROW_PIXELS, COMPACT_ROW_PIXELS] = [36, 28]

/** Maximum number of table rows that are all rendered, so that the browser's page search finds them. Longer tables are virtualized. */
const WHOLE_ROWS = 50

/** Returns the table's `aria-rowcount`; `undefined` when all rows are rendered. */
export const rowCountOf = (rows: number): number | undefined => (rows > WHOLE_ROWS ? rows : undefined)

type InventoryRowsProps<Row> = {
  rows: readonly Row[]
  /** Function that renders one row, with a key. `rowIndex` is its `aria-rowindex`, `undefined` when all rows are rendered. */
  children: (row: Row, rowIndex: number | undefined) => ReactNode
}

/** React component: table body that renders all rows up to 50, and of more only those near the visible area. */
export function InventoryRows<Row>({ rows, children }: InventoryRowsProps<Row>) {
  const { isCompact } = useSettings()
  const isWhole = rowCountOf(rows.length) === undefined
  return (
    <VirtualList as="tbody" rows={rows} rowPixels={isCompact ? COMPACT_ROW_PIXELS : ROW_PIXELS} isWhole={isWhole} className="text-note">
      {(row, index) => children(row, isWhole ? undefined : index + 2)}
    </VirtualList>
  )
}
