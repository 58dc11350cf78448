import type { ReactNode } from 'react'
import type { TableColumn } from '../../../ui/sortable-table.tsx'

/**
 * Column of an inventory table (containers, services or drives). `cell` renders a row's cell, `order` returns the value for sorting
 * (`undefined` when unknown), and `sum` describes the sums in group headings.
 */
export type InventoryColumn<Row> = TableColumn & {
  readonly cell: (row: Row) => ReactNode
  readonly order: (row: Row) => string | number | undefined
  /**
   * How to sum the column in group headings: `amount` returns a row's value (`undefined` if unknown), `format` the text of the sum. Absent
   * for a column without sums.
   */
  readonly sum?: { readonly amount: (row: Row) => number | undefined; readonly format: (sum: number) => string }
}

/**
 * Button at the end of each row of an inventory table: its text, and the function called when it is pressed. `label` returns its accessible
 * label with the row's name.
 */
export type RowAction<Row> = { readonly word: string; readonly label: (row: Row) => string; readonly onPress: (row: Row) => void }
