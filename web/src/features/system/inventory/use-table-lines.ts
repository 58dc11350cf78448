import { useState } from 'react'
import type { TableSort } from '../../../ui/sortable-table.tsx'
import type { InventoryColumn } from './inventory-column.ts'
import { groupRows } from './row-groups.ts'

/**
 * Rule that groups the rows of an inventory table. `nameOf` returns the name of a row's group, and `others` is the heading for rows without
 * one.
 */
export type Grouping<Row> = {
  /** Function that returns the name of the group that a row belongs to, such as its Compose project; `undefined` for none. */
  readonly nameOf: (row: Row) => string | undefined
  /** Heading of the group that contains the rows without a group name, such as containers outside Compose projects. */
  readonly others: string
}

/**
 * Line that an inventory table displays: a row (`item`), or the heading of a group (`group`). In a heading, `name` is `undefined` for the
 * rows without a group.
 */
export type TableLine<Row> =
  | { readonly kind: 'item'; readonly row: Row; readonly isMember: boolean }
  | { readonly kind: 'group'; readonly name: string | undefined; readonly rows: readonly Row[]; readonly isOpen: boolean }

type TableLinesProps<Row> = {
  /** Rows of the inventory table (containers, services or drives), sorted and filtered, before they are grouped. */
  rows: readonly Row[]
  columns: readonly InventoryColumn<Row>[]
  sort: TableSort | undefined
  grouping: Grouping<Row> | undefined
  /** True when all groups of the table are expanded until the user presses their headings, false when they are collapsed. */
  isOpenAtFirst: boolean
}

/**
 * React hook: returns the lines (rows and group headings) that an inventory table displays, and `toggle`. That function collapses or
 * expands the group with the given name.
 */
export function useTableLines<Row>({ rows, columns, sort, grouping, isOpenAtFirst }: TableLinesProps<Row>) {
  // Also contains groups that are filtered out now.
  const [pressed, setPressed] = useState<ReadonlySet<string | undefined>>(new Set())
  const toggle = (name: string | undefined): void => setPressed((current) => withToggled(current, name))
  const itemsOf = (items: readonly Row[], isMember: boolean): readonly TableLine<Row>[] =>
    items.map((row) => ({ kind: 'item', row, isMember }))
  if (grouping === undefined) return { lines: itemsOf(rows, false), toggle }
  const amount = columns.find(({ id }) => id === sort?.column)?.sum?.amount
  const groups = groupRows(rows, grouping.nameOf, { isDescending: sort?.descending ?? false, amount })
  const lines = groups.flatMap((group): readonly TableLine<Row>[] => {
    const isOpen = pressed.has(group.name) !== isOpenAtFirst
    return [{ kind: 'group', ...group, isOpen }, ...(isOpen ? itemsOf(group.rows, true) : [])]
  })
  return { lines, toggle }
}

function withToggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}
