import { useState, type ReactNode } from 'react'
import { compareValues } from '../../../format/compare.ts'
import { ColumnsButton } from '../../../preferences/columns-button.tsx'
import type { TableId } from '../../../preferences/settings.ts'
import { useVisibleColumns } from '../../../preferences/use-visible-columns.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { SortableTable, type TableSort } from '../../../ui/sortable-table.tsx'
import * as words from '../../../words/messages.js'
import { GroupRow } from './group-row.tsx'
import type { InventoryColumn, RowAction } from './inventory-column.ts'
import { InventoryRow } from './inventory-row.tsx'
import { InventoryRows, rowCountOf } from './inventory-rows.tsx'
import { useTableLines, type Grouping } from './use-table-lines.ts'
import { useTableView } from './use-table-view.ts'

type InventoryTableProps<Row> = {
  table: Exclude<TableId, 'systems'>
  title: string
  /** List of the columns of the inventory table. The first one names the row and cannot be hidden. */
  columns: readonly InventoryColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Function that returns the text of a table row in which the table's filter searches, such as the container's name and image. */
  textOf: (row: Row) => string
  actions?: readonly RowAction<Row>[]
  /** Rule by which the rows of the inventory table are grouped, such as by Compose project; `undefined` for one flat list. */
  grouping?: Grouping<Row> | undefined
  children?: ReactNode
}

/** Number of rows, 15, that an inventory table (containers, services or drives) shows while it is collapsed; a button shows the others. */
const SHOWN_ROWS = 15

/**
 * React component: table of a system's containers, services or drives (`table`). The user can sort it by column and filter it by text.
 * `children` are further controls beside its title.
 */
export function InventoryTable<Row>({
  table,
  title,
  columns,
  rows,
  keyOf,
  textOf,
  actions = [],
  grouping,
  children,
}: InventoryTableProps<Row>) {
  const { sort, filter, setSort, setFilter } = useTableView(table)
  const [isOpen, setOpen] = useState(false)
  const part = filter.trim().toLocaleLowerCase()
  const others = columns.slice(1)
  const shownColumns = [...columns.slice(0, 1), ...useVisibleColumns(table, others)]
  const found = rows.filter((row) => textOf(row).toLocaleLowerCase().includes(part))
  const ordered = inOrder(found, columns, sort)
  const folded = ordered.length - SHOWN_ROWS
  const isWhole = isOpen || grouping !== undefined
  const { lines, toggle } = useTableLines({
    rows: isWhole ? ordered : ordered.slice(0, SHOWN_ROWS),
    columns: shownColumns,
    sort,
    grouping,
    isOpenAtFirst: folded <= 0,
  })
  return (
    <section aria-label={title} className="mt-7">
      <div className="mb-2.5 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 className="flex-1 text-body font-semibold text-muted">
          {title} <span className="font-normal text-faint">{rows.length}</span>
        </h2>
        {children}
        {rows.length > 1 && (
          <SearchField
            label={words.filter_things({ title })}
            placeholder={words.filter()}
            value={filter}
            onChange={setFilter}
            className="h-7 w-40"
          />
        )}
        <ColumnsButton table={table} columns={others} />
      </div>
      <SortableTable
        caption={title}
        columns={shownColumns}
        sort={sort}
        onSort={({ id, isNumber = false }) => setSort({ column: id, descending: sort?.column === id ? !sort.descending : isNumber })}
        end={actions.length > 0 && <span className="sr-only">{words.column_actions()}</span>}
        endClassName="w-34 max-sm:w-32"
        rowCount={rowCountOf(lines.length)}
        footer={
          folded > 0 &&
          grouping === undefined && (
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="h-9 w-full border-t border-border text-note text-accent underline"
            >
              {isOpen ? words.show_fewer() : words.show_more({ count: folded })}
            </button>
          )
        }
      >
        <InventoryRows rows={lines}>
          {(line, rowIndex) =>
            line.kind === 'item' ? (
              <InventoryRow
                key={keyOf(line.row)}
                row={line.row}
                columns={shownColumns}
                actions={actions}
                isMember={line.isMember}
                rowIndex={rowIndex}
              />
            ) : (
              <GroupRow
                key={line.name === undefined ? 'others' : `group ${line.name}`}
                title={line.name ?? grouping?.others ?? ''}
                rows={line.rows}
                columns={shownColumns}
                hasActions={actions.length > 0}
                isOpen={line.isOpen}
                rowIndex={rowIndex}
                onPress={() => toggle(line.name)}
              />
            )
          }
        </InventoryRows>
        {ordered.length === 0 && (
          <tbody className="text-note">
            <tr>
              <td colSpan={shownColumns.length + 1} className="h-9 px-3 text-muted">
                {words.nothing_found()}
              </td>
            </tr>
          </tbody>
        )}
      </SortableTable>
    </section>
  )
}

function inOrder<Row>(rows: readonly Row[], columns: readonly InventoryColumn<Row>[], sort: TableSort | undefined): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.column)
  if (column === undefined || sort === undefined) return rows
  return rows.toSorted((a, b) => compareValues(column.order(a), column.order(b), sort.descending))
}
