import type { ReactElement } from 'react'
import { useSettings } from '../../../preferences/use-preferences.ts'
import { VirtualList } from '../../../ui/virtual-list.tsx'

/**
 * Heights in px of an inventory table's row: 36 in the normal and 28 in the compact layout. They must equal the CSS property
 * `--cell-height`.
 */
const [ROW_PIXELS, COMPACT_ROW_PIXELS] = [36, 28]

/**
 * Maximum number of rows, 50, with which an inventory table renders all of them, so that the browser's page search finds them. Longer
 * tables render only rows near the visible area.
 */
const WHOLE_ROWS = 50

/**
 * Returns the prop `rowCount` of the `SortableTable` for this number of rows (without the header): the number itself. It is `undefined` for
 * at most 50 rows, because the table then renders all of them.
 */
export const rowCountOf = (rows: number): number | undefined => (rows > WHOLE_ROWS ? rows : undefined)

type InventoryRowsProps<Row> = {
  rows: readonly Row[]
  /**
   * Function that renders one row of the inventory table and returns an element with a React key. `rowIndex` is the row's `aria-rowindex`;
   * `undefined` when the table renders all rows.
   */
  children: (row: Row, rowIndex: number | undefined) => ReactElement
}

/**
 * React component: body of an inventory table, which renders `rows` by `children`. If there are more than 50 rows, only those near the
 * visible area are rendered (virtualized).
 */
export function InventoryRows<Row>({ rows, children }: InventoryRowsProps<Row>) {
  const { isCompact } = useSettings()
  const isWhole = rowCountOf(rows.length) === undefined
  return (
    <VirtualList as="tbody" rows={rows} rowPixels={isCompact ? COMPACT_ROW_PIXELS : ROW_PIXELS} isWhole={isWhole} className="text-note">
      {(row, index) => children(row, isWhole ? undefined : index + 2)}
    </VirtualList>
  )
}
