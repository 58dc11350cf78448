import { useMemo } from 'react'
import { useFormats, useSettings } from '../../preferences/use-preferences.ts'
import { ColumnsButton } from '../../preferences/columns-button.tsx'
import { useVisibleColumns } from '../../preferences/use-visible-columns.ts'
import { SortableTable } from '../../ui/sortable-table.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import * as words from '../../words/messages.js'
import { besideTags, fleetColumns, nameColumn } from './fleet-columns.ts'
import { systemProps, type ColumnId, type FleetRowsProps, type Sort } from './fleet-model.ts'
import { FleetRow } from './fleet-row.tsx'

/**
 * Pair of heights in px of a row of the systems table: 40 in the normal, 32 in the compact layout. They must match the CSS property
 * `--row-height`.
 */
const [ROW_PIXELS, COMPACT_ROW_PIXELS] = [40, 32]

type FleetTableProps = FleetRowsProps & { columns: readonly ColumnId[]; sort: Sort | undefined; onPressColumn: (column: ColumnId) => void }

/**
 * React component: table of systems; only rows near the visible area of the browser window, which scrolls, are rendered. A press on a
 * column's heading calls `onPressColumn`; the parent component must sort the rows.
 */
export function FleetTable({ columns, sort, onPressColumn, ...rows }: FleetTableProps) {
  const { lines } = rows
  const formats = useFormats()
  const { isCompact } = useSettings()
  // Each update creates a new array; rows must not rerender for an equal one.
  const ids = columns.join()
  const filled = useMemo(() => fleetColumns.filter(({ id }) => id === 'hour' || ids.split(',').includes(id)), [ids])
  const arranged = useVisibleColumns('systems', filled)
  const shown = useMemo(() => [nameColumn, ...besideTags(arranged)], [arranged])
  return (
    <SortableTable
      caption={words.all_systems()}
      columns={shown}
      sort={sort}
      onSort={({ id }) => id !== 'hour' && onPressColumn(id)}
      isSticky
      rowCount={lines.length}
      end={
        <span className="flex justify-end">
          <span className="sr-only">{words.column_actions()}</span>
          <ColumnsButton table="systems" columns={filled} />
        </span>
      }
    >
      <VirtualList as="tbody" rows={lines} rowPixels={isCompact ? COMPACT_ROW_PIXELS : ROW_PIXELS}>
        {(line, index) =>
          line.kind === 'group' ? (
            <tr
              key={line.key}
              aria-rowindex={index + 2}
              className="relative h-(--row-height) border-b border-border bg-sunken last:border-0"
            >
              <th scope="rowgroup" className="p-0 text-left font-normal">
                {/* Across the whole row: a cell over several columns would add columns where narrow windows hide some. */}
                <span className="absolute inset-0 bg-sunken">{rows.renderHeading?.(line)}</span>
              </th>
            </tr>
          ) : (
            <FleetRow key={line.key} {...systemProps(rows, line.system, formats)} rowIndex={index + 2} columns={shown} />
          )
        }
      </VirtualList>
    </SortableTable>
  )
}
