import type { ReactNode } from 'react'
import type { TableColumn } from '../../../ui/sortable-table.tsx'

/** Definition of a column of an inventory table: how its cell is rendered, the value for sorting, and how groups are summed. */
export type InventoryColumn<Row> = TableColumn & {
  readonly cell: (row: Row) => ReactNode
  readonly order: (row: Row) => string | number | undefined
  /**
   * Functions for the sums of grouped rows: a row's value (`undefined` if unknown), and the formatted sum. Absent when the column has no
   * sums.
   */
  readonly sum?: { readonly amount: (row: Row) => number | undefined; readonly format: (sum: number) => string }
}

/** Action button of each row in an inventory table: its text, an accessible label that names the row, and the callback. */
export type RowAction<Row> = { readonly word: string; readonly label: (row: Row) => string; readonly onPress: (row: Row) => void }
