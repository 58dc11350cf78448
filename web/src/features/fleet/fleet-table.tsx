import { useMemo, useRef } from 'react'
import { healthOf } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import { cn } from '../../ui/cn.ts'
import { Icon } from '../../ui/icon.tsx'
import { useVisibleRows } from '../../ui/use-visible-rows.ts'
import * as words from '../../words/messages.js'
import { ageText } from './age-text.ts'
import { fleetColumns, type FleetColumn } from './fleet-columns.ts'
import type { ColumnId, Sort } from './fleet-model.ts'
import { FleetRow } from './fleet-row.tsx'
import type { RowDialog } from './row-dialog.ts'

const ROW_PIXELS = 40

export type FleetRowsProps = {
  systems: readonly System[]
  /** What a person is told about, by system id. */
  alertNames: ReadonlyMap<string, string>
  /** What stands for a system in its page's address. */
  addressOf: (system: System) => string
  now: number
  mayChange: boolean
  onDialog: (dialog: RowDialog) => void
}

type FleetTableProps = FleetRowsProps & { columns: readonly ColumnId[]; sort: Sort | undefined; onPressColumn: (column: ColumnId) => void }

/** The systems in rows; only those near the window exist, the page itself scrolls. */
export function FleetTable({ systems, alertNames, addressOf, now, mayChange, onDialog, columns, sort, onPressColumn }: FleetTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { first, end } = useVisibleRows(body, systems.length, ROW_PIXELS)
  // Each update brings a list of its own: rows that did not change must not be told of another one that says the same.
  const ids = columns.join()
  const shown = useMemo(() => fleetColumns.filter(({ id }) => ids.split(',').includes(id)), [ids])

  return (
    <div className="card">
      <table className="w-full table-fixed border-collapse" aria-rowcount={systems.length + 1}>
        <caption className="sr-only">{words.all_systems()}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {shown.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onPress={onPressColumn} withLastHour={column.id === 'cpu'} />
            ))}
            <th scope="col" className="sticky top-13 z-10 w-20 rounded-tr-card border-b border-border bg-surface">
              <span className="sr-only">{words.column_actions()}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {first > 0 && <Spacer pixels={first * ROW_PIXELS} />}
          {systems.slice(first, end).map((system, index) => {
            const health = healthOf(system, now)
            return (
              <FleetRow
                key={system.id}
                system={system}
                alertNames={alertNames.get(system.id)}
                address={addressOf(system)}
                health={health}
                age={ageText(system, health, now)}
                rowIndex={first + index + 2}
                columns={shown}
                mayChange={mayChange}
                onDialog={onDialog}
              />
            )
          })}
          {end < systems.length && <Spacer pixels={(systems.length - end) * ROW_PIXELS} />}
        </tbody>
      </table>
    </div>
  )
}

/** The place of the rows that do not exist at the moment. */
const Spacer = ({ pixels }: { pixels: number }) => <tr aria-hidden="true" style={{ height: pixels }} />

type HeadingProps = { column: FleetColumn; sort: Sort | undefined; onPress: (column: ColumnId) => void; withLastHour: boolean }

function Heading({ column: { id, title, width, shownFrom, isNumber }, sort, onPress, withLastHour }: HeadingProps) {
  const isSorted = sort?.column === id
  const order = sort?.descending === true ? 'descending' : 'ascending'
  const cell = 'sticky top-13 z-10 h-8.5 border-b border-border bg-surface px-3 text-small font-medium'
  return (
    <>
      <th scope="col" aria-sort={isSorted ? order : undefined} className={cn(cell, width, shownFrom, id === 'system' && 'rounded-tl-card')}>
        <button
          type="button"
          onClick={() => onPress(id)}
          className={cn(
            'flex h-7 w-full items-center gap-1 whitespace-nowrap hover:text-text',
            isNumber && 'justify-end',
            isSorted ? 'text-text' : 'text-muted',
          )}
        >
          {title()}
          {isSorted && <Icon name={order === 'descending' ? 'down' : 'up'} className="size-3.5" />}
        </button>
      </th>
      {withLastHour && (
        <th scope="col" className={cn(cell, 'w-28 text-left text-muted max-xl:hidden')}>
          {words.column_last_hour()}
        </th>
      )}
    </>
  )
}
