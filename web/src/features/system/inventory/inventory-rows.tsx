import type { ReactNode } from 'react'
import { useSettings } from '../../../preferences/use-preferences.ts'
import { VirtualList } from '../../../ui/virtual-list.tsx'

/** As `--cell-height`. */
const [ROW_PIXELS, COMPACT_ROW_PIXELS] = [36, 28]

/** Up to this many rows all exist: the browser's own search finds them. */
const WHOLE_ROWS = 50

/** The `aria-rowcount` of a table, where only some of its rows exist. */
export const rowCountOf = (rows: number): number | undefined => (rows > WHOLE_ROWS ? rows : undefined)

type InventoryRowsProps<Row> = {
  rows: readonly Row[]
  /** Draws one row, with a key; `rowIndex` is undefined while all rows exist. */
  children: (row: Row, rowIndex: number | undefined) => ReactNode
}

/** The body of a table; of many rows only those near the window exist. */
export function InventoryRows<Row>({ rows, children }: InventoryRowsProps<Row>) {
  const { isCompact } = useSettings()
  const isWhole = rowCountOf(rows.length) === undefined
  return (
    <VirtualList as="tbody" rows={rows} rowPixels={isCompact ? COMPACT_ROW_PIXELS : ROW_PIXELS} isWhole={isWhole} className="text-note">
      {(row, index) => children(row, isWhole ? undefined : index + 2)}
    </VirtualList>
  )
}
