import { ownValue } from '@vedette/protocol/own-value'
import type { JsonRecord } from '../../api/json.ts'
import { Icon } from '../../ui/icon.tsx'
import * as words from '../../words/messages.js'
import { cellText } from './cell-text.ts'
import { idOf } from './records-page.ts'

type RecordsTableProps = {
  columns: readonly string[]
  /** Absent while they are read. */
  items: readonly JsonRecord[] | undefined
  /** `-created`: by one field, downwards. */
  sort: string
  chosen: ReadonlySet<string>
  onSort: (sort: string) => void
  onChoose: (chosen: ReadonlySet<string>) => void
  onOpen: (id: string) => void
}

/** A page of records. It scrolls by itself where it is wider than the page. */
export function RecordsTable({ columns, items, sort, chosen, onSort, onChoose, onOpen }: RecordsTableProps) {
  const ids = items?.map(idOf) ?? []
  const areAllChosen = ids.length > 0 && ids.every((id) => chosen.has(id))
  const toggle = (id: string) => onChoose(chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id]))
  return (
    <section aria-label={words.office_records()} className="card overflow-x-auto">
      <table className="w-full text-note" aria-busy={items === undefined}>
        <thead>
          <tr className="border-b border-border text-left text-muted">
            <th className="w-9 px-2.5">
              <input
                type="checkbox"
                aria-label={words.office_choose_all()}
                checked={areAllChosen}
                onChange={() => onChoose(new Set(areAllChosen ? [] : ids))}
                className="block size-4"
              />
            </th>
            {columns.map((column) => (
              <SortableHeading key={column} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {items === undefined && (
            <tr className="h-80">
              <td aria-hidden="true" colSpan={columns.length + 1} className="animate-skeleton bg-sunken" />
            </tr>
          )}
          {items?.map((record) => {
            const id = idOf(record)
            return (
              <tr key={id} className="h-10 hover:bg-hover">
                <td className="px-2.5">
                  <input
                    type="checkbox"
                    aria-label={words.office_choose({ id })}
                    checked={chosen.has(id)}
                    onChange={() => toggle(id)}
                    className="block size-4"
                  />
                </td>
                {columns.map((column, at) => (
                  <td key={column} className="max-w-72 truncate px-2.5 tabular-nums">
                    {at === 0 ? (
                      <button
                        type="button"
                        onClick={() => onOpen(id)}
                        className="min-h-6 max-w-full truncate text-left font-medium text-accent hover:underline"
                      >
                        {cellText(ownValue(record, column)) || id}
                      </button>
                    ) : (
                      cellText(ownValue(record, column)) || <span className="text-faint">–</span>
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function SortableHeading({ column, sort, onSort }: { column: string; sort: string; onSort: (sort: string) => void }) {
  const direction = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined
  return (
    <th aria-sort={direction ?? 'none'} className="h-9 px-2.5 font-medium">
      <button
        type="button"
        onClick={() => onSort(direction === 'ascending' ? `-${column}` : column)}
        className="inline-flex min-h-6 items-center gap-1 whitespace-nowrap hover:text-text"
      >
        {column}
        {direction !== undefined && <Icon name={direction === 'ascending' ? 'up' : 'down'} className="size-3.5" />}
      </button>
    </th>
  )
}
