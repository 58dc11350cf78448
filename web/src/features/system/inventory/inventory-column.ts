import type { ReactNode } from 'react'
import type { TableColumn } from '../../../ui/sortable-table.tsx'

/**
 * Column of an inventory table (containers, services or drives): `cell` renders a row's cell, `order` returns the value for sorting, and
 * `sum` describes the sums in group headings.
 */
export type InventoryColumn<Row> = TableColumn & {
  readonly cell: (row: Row) => ReactNode
  readonly order: (row: Row) => string | number | undefined
  /**
   * Object for the sums of grouped rows: `amount` returns a row's value (`undefined` if unknown), `format` the text of a sum. Absent when
   * the column has no sums.
   */
  readonly sum?: { readonly amount: (row: Row) => number | undefined; readonly format: (sum: number) => string }
}

/**
 * Description of a button of a row in an inventory table: its text, a function that returns an accessible label that names the row, and the
 * callback `onPress`.
 */
export type RowAction<Row> = { readonly word: string; readonly label: (row: Row) => string; readonly onPress: (row: Row) => void }
