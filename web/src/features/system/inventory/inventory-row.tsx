import { cn } from '../../../ui/cn.ts'
import { Action } from './action.tsx'
import type { InventoryColumn, RowAction } from './inventory-column.ts'

type InventoryRowProps<Row> = {
  row: Row
  columns: readonly InventoryColumn<Row>[]
  actions: readonly RowAction<Row>[]
  /**
   * True when the row of the inventory table belongs to a group with a heading; the row is indented then. False in a table without groups.
   */
  isMember?: boolean
  /** Row number in the whole table for `aria-rowindex` (the header is row 1); `undefined` when the table renders all its rows. */
  rowIndex?: number | undefined
}

/** React component: table row of one container, service or drive, with a cell for each of `columns`, and action buttons at the end. */
export const InventoryRow = <Row,>({ row, columns, actions, isMember = false, rowIndex }: InventoryRowProps<Row>) => (
  <tr aria-rowindex={rowIndex} className="border-t border-border first:border-t-0 hover:bg-hover">
    {columns.map(({ id, isNumber, className, cell }, index) => (
      <td
        key={id}
        className={cn(
          'h-(--cell-height) truncate px-3',
          isNumber === true && 'text-right tabular-nums',
          index > 0 && 'text-muted',
          index === 0 && isMember && 'pl-9',
          className,
        )}
      >
        {cell(row)}
      </td>
    ))}
    {actions.length > 0 && (
      <td className="px-2 text-right whitespace-nowrap">
        {actions.map(({ word, label, onPress }) => (
          <Action key={word} label={label(row)} onPress={() => onPress(row)}>
            {word}
          </Action>
        ))}
      </td>
    )}
  </tr>
)
