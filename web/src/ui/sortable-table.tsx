import type { ReactNode } from 'react'
import { cn } from './cn.ts'
import { Icon } from './icon.tsx'

export type TableColumn = {
  readonly id: string
  readonly title: () => string
  readonly isNumber?: boolean
  /** True (the default) when pressing the column's heading sorts the table by it. */
  readonly isSortable?: boolean
  /** CSS classes of the column's cells: its width, and the screen widths at which it is shown. */
  readonly className?: string | undefined
}

export type TableSort = { readonly column: string; readonly descending: boolean }

type SortableTableProps<Column extends TableColumn> = {
  caption: string
  columns: readonly Column[]
  sort: TableSort | undefined
  onSort: (column: Column) => void
  /** React nodes: additional header cells (`<th>`) before the table's first sortable column, such as for a checkbox. */
  start?: ReactNode
  /** React node: content of an additional header cell after the table's last column; absent for no such cell. */
  end?: ReactNode
  endClassName?: string
  /** React node below the rows of the table, within the same card, such as a button for more rows. */
  footer?: ReactNode
  /** True when the table's header sticks below the top bar while the page scrolls. */
  isSticky?: boolean
  /**
   * True when the table's columns are as wide as their content, and the table scrolls horizontally. Otherwise the columns share the table's
   * width.
   */
  isWide?: boolean
  isBusy?: boolean
  /**
   * Total number of rows without the header, when only some are rendered (virtualized); absent when all are. `aria-rowcount` is 1 more,
   * because it counts the header too.
   */
  rowCount?: number | undefined
  /** Table body. */
  children: ReactNode
}

/**
 * React component: table whose column headings sort it. A press calls `onSort` with the column; the parent component must sort the rows,
 * its `children`.
 */
export function SortableTable<Column extends TableColumn>({
  caption,
  columns,
  sort,
  onSort,
  start,
  end,
  endClassName = 'w-20',
  footer,
  isSticky = false,
  isWide = false,
  isBusy = false,
  rowCount,
  children,
}: SortableTableProps<Column>) {
  const cell = cn('h-8.5 border-b border-border bg-surface px-3 text-small font-medium', isSticky && 'sticky top-13 z-10')
  return (
    <div className={cn('card', isWide && 'overflow-x-auto')}>
      <table
        aria-busy={isBusy}
        aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
        className={cn('w-full border-collapse', !isWide && 'table-fixed')}
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr aria-rowindex={rowCount === undefined ? undefined : 1}>
            {start}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} className={cell} />
            ))}
            {end !== undefined && end !== false && (
              <th scope="col" className={cn(cell, 'rounded-tr-card', endClassName)}>
                {end}
              </th>
            )}
          </tr>
        </thead>
        {children}
      </table>
      {footer}
    </div>
  )
}

type HeadingProps<Column> = { column: Column; sort: TableSort | undefined; onSort: (column: Column) => void; className: string }

function Heading<Column extends TableColumn>({ column, sort, onSort, className: cell }: HeadingProps<Column>) {
  const { id, title, isNumber = false, isSortable = true, className } = column
  const order = sort?.column !== id ? undefined : sort.descending ? 'descending' : 'ascending'
  return (
    <th scope="col" aria-sort={order} className={cn(cell, 'text-left text-muted first:rounded-tl-card last:rounded-tr-card', className)}>
      {isSortable ? (
        <button
          type="button"
          onClick={() => onSort(column)}
          className={cn(
            'flex h-7 w-full items-center gap-1 whitespace-nowrap hover:text-text',
            isNumber && 'justify-end',
            order !== undefined && 'text-text',
          )}
        >
          {title()}
          {order !== undefined && <Icon name={order === 'descending' ? 'down' : 'up'} className="size-3.5" />}
        </button>
      ) : (
        title()
      )}
    </th>
  )
}
