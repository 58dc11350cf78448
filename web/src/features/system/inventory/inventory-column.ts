import type { ReactNode } from 'react'
import type { TableColumn } from '../../../ui/sortable-table.tsx'

/** One column of an inventory: what it shows, and the value that its rows are ordered by. */
export type InventoryColumn<Row> = TableColumn & {
  readonly cell: (row: Row) => ReactNode
  readonly order: (row: Row) => string | number | undefined
  /** How the values of a group of rows add up; undefined values are not known. */
  readonly sum?: { readonly amount: (row: Row) => number | undefined; readonly format: (sum: number) => string }
}

/** Something to do with a row: its word, and a label that also names the row. */
export type RowAction<Row> = { readonly word: string; readonly label: (row: Row) => string; readonly onPress: (row: Row) => void }
