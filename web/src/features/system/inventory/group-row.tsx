import { cn } from '../../../ui/cn.ts'
import { Icon } from '../../../ui/icon.tsx'
import * as words from '../../../words/messages.js'
import type { InventoryColumn } from './inventory-column.ts'
import { sumOf } from './row-groups.ts'

type GroupRowProps<Row> = {
  title: string
  rows: readonly Row[]
  columns: readonly InventoryColumn<Row>[]
  hasActions: boolean
  isOpen: boolean
  /** Row number in the whole table for `aria-rowindex` (the header is row 1); `undefined` when the table renders all its rows. */
  rowIndex: number | undefined
  onPress: () => void
}

/**
 * React component: heading row of a group of rows in an inventory table. It shows the group's name, number of rows, and sums of columns.
 * Its button calls `onPress`, which must collapse or expand the group.
 */
export const GroupRow = <Row,>({ title, rows, columns, hasActions, isOpen, rowIndex, onPress }: GroupRowProps<Row>) => (
  <tr aria-rowindex={rowIndex} className="border-t border-border bg-sunken first:border-t-0">
    <th scope="row" className="h-(--cell-height) px-2 text-left font-medium">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onPress}
        data-tooltip={title}
        className="flex h-6 max-w-full items-center gap-1.5 rounded-control pr-1.5 hover:bg-hover"
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

/**
 * React component: sum of a column over the rows of a group, in the group's heading row. It has a `≥` and a note when values of some rows
 * are unknown, and is a dash when all are. Renders nothing for a column without sums.
 */
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
