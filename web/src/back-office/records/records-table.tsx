import { ownValue } from '@vedette/protocol/own-value'
import type { JsonRecord } from '../../api/json.ts'
import { SortableTable } from '../../ui/sortable-table.tsx'
import * as words from '../../words/messages.js'
import { cellText } from './cell-text.ts'
import { idOf } from './records-page.ts'

type RecordsTableProps = {
  columns: readonly string[]
  /** List of the records on the table's current page, in their order; `undefined` while loading. */
  items: readonly JsonRecord[] | undefined
  /**
   * Sort order of the records table as text: a field name for ascending, with `-` before it for descending, such as `-created`; an empty
   * string for none.
   */
  sort: string
  chosen: ReadonlySet<string>
  onSort: (sort: string) => void
  onChoose: (chosen: ReadonlySet<string>) => void
  onOpen: (id: string) => void
}

/**
 * React component: table with one page of a collection's records, with checkboxes. `onSort` gets the new sort order, `onChoose` the ids of
 * all checked records, `onOpen` the id of a pressed record.
 */
export function RecordsTable({ columns, items, sort, chosen, onSort, onChoose, onOpen }: RecordsTableProps) {
  const ids = items?.map(idOf) ?? []
  const areAllChosen = ids.length > 0 && ids.every((id) => chosen.has(id))
  const toggle = (id: string) => onChoose(chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id]))
  return (
    <SortableTable
      caption={words.office_records()}
      columns={columns.map((name) => ({ id: name, title: () => name }))}
      sort={sort === '' ? undefined : { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') }}
      onSort={({ id }) => onSort(sort === id ? `-${id}` : id)}
      isWide
      isBusy={items === undefined}
      start={
        <th scope="col" className="w-9 border-b border-border px-3">
          <input
            type="checkbox"
            aria-label={words.office_choose_all()}
            checked={areAllChosen}
            onChange={() => onChoose(new Set(areAllChosen ? [] : ids))}
            className="block size-4"
          />
        </th>
      }
    >
      <tbody className="divide-y divide-border text-note">
        {items === undefined && (
          <tr className="h-80">
            <td aria-hidden="true" colSpan={columns.length + 1} className="animate-skeleton bg-sunken" />
          </tr>
        )}
        {items?.map((record) => {
          const id = idOf(record)
          return (
            <tr key={id} className="h-10 hover:bg-hover">
              <td className="px-3">
                <input
                  type="checkbox"
                  aria-label={words.office_choose({ id })}
                  checked={chosen.has(id)}
                  onChange={() => toggle(id)}
                  className="block size-4"
                />
              </td>
              {columns.map((column, at) => (
                <td key={column} className="max-w-72 truncate px-3 tabular-nums">
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
    </SortableTable>
  )
}
