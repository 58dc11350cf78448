import { useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { TableSort } from '../../../ui/sortable-table.tsx'
import * as words from '../../../words/messages.js'
import type { InventoryColumn, RowAction } from './inventory-column.ts'
import { InventoryRow } from './inventory-row.tsx'
import { groupRows, sumOf, type RowGroup } from './row-groups.ts'

/** How the rows of a table are grouped. */
export type Grouping<Row> = {
  /** Undefined for a row without a group. */
  readonly nameOf: (row: Row) => string | undefined
  /** Title of the group of rows without a name. */
  readonly others: string
}

type GroupedRowsProps<Row> = {
  /** Sorted. */
  rows: readonly Row[]
  columns: readonly InventoryColumn<Row>[]
  sort: TableSort | undefined
  keyOf: (row: Row) => string
  actions: readonly RowAction<Row>[]
  grouping: Grouping<Row>
  /** Groups are open until someone closes them; otherwise the other way round. */
  isOpenAtFirst: boolean
}

/** A body for each group: a row that folds the group and has its sums, then its rows. */
export function GroupedRows<Row>({ rows, columns, sort, keyOf, actions, grouping, isOpenAtFirst }: GroupedRowsProps<Row>) {
  // Also holds groups that are filtered out now.
  const [pressed, setPressed] = useState<ReadonlySet<string | undefined>>(new Set())
  const amount = columns.find(({ id }) => id === sort?.column)?.sum?.amount
  const groups = groupRows(rows, grouping.nameOf, { isDescending: sort?.descending ?? false, amount })
  return groups.map((group) => {
    const isOpen = pressed.has(group.name) !== isOpenAtFirst
    return (
      <tbody
        key={group.name === undefined ? 'others' : `group ${group.name}`}
        className="border-t border-border text-note first-of-type:border-t-0"
      >
        <GroupRow
          group={group}
          title={group.name ?? grouping.others}
          columns={columns}
          hasActions={actions.length > 0}
          isOpen={isOpen}
          onPress={() => setPressed((current) => withToggled(current, group.name))}
        />
        {isOpen && group.rows.map((row) => <InventoryRow key={keyOf(row)} row={row} columns={columns} actions={actions} isMember />)}
      </tbody>
    )
  })
}

function withToggled<T>(set: ReadonlySet<T>, value: T): ReadonlySet<T> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

type GroupRowProps<Row> = {
  group: RowGroup<Row>
  title: string
  columns: readonly InventoryColumn<Row>[]
  hasActions: boolean
  isOpen: boolean
  onPress: () => void
}

const GroupRow = <Row,>({ group: { rows }, title, columns, hasActions, isOpen, onPress }: GroupRowProps<Row>) => (
  <tr className="bg-sunken">
    <th scope="rowgroup" className="h-(--cell-height) px-2 text-left font-medium">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onPress}
        data-tooltip={title}
        className="flex h-7 max-w-full items-center gap-1.5 rounded-control pr-1.5 hover:bg-hover"
      >
        <Icon name="chevron" className={cn('size-4 shrink-0 text-muted', !isOpen && '-rotate-90')} />
        <span className="truncate">{title}</span>
        <span className="font-normal text-muted">
          <span aria-hidden="true">{rows.length}</span>
          <span className="sr-only">{words.containers_count({ count: rows.length })}</span>
        </span>
      </button>
    </th>
    {columns.slice(1).map((column) => (
      <td
        key={column.id}
        className={cn(
          'h-(--cell-height) truncate px-3 text-muted',
          column.isNumber === true && 'text-right tabular-nums',
          column.className,
        )}
      >
        <GroupSum rows={rows} column={column} />
      </td>
    ))}
    {hasActions && <td>{null}</td>}
  </tr>
)

/** The sum of a column over a group; it says when it misses rows. */
function GroupSum<Row>({ rows, column: { sum: adding } }: { rows: readonly Row[]; column: InventoryColumn<Row> }) {
  if (adding === undefined) return null
  const { sum, unknownRows } = sumOf(rows, adding.amount)
  if (sum === undefined) return '–'
  if (unknownRows === 0) return adding.format(sum)
  const missing = words.sum_misses({ count: unknownRows })
  return (
    <span data-tooltip={missing}>
      ≥ {adding.format(sum)}
      <span className="sr-only"> ({missing})</span>
    </span>
  )
}
