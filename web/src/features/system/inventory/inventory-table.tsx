import { useState, type ReactNode } from 'react'
import { cn } from '../../../ui/cn.ts'
import { Icon } from '../../../ui/icon.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import * as words from '../../../words/messages.js'
import { Action } from './action.tsx'

/** One column of a table of things: what it shows, and what its rows are ordered by. */
export type InventoryColumn<Row> = {
  readonly id: string
  readonly title: string
  readonly isNumber?: boolean
  /** A class that hides it in narrower windows; the first column always stays. */
  readonly shownFrom?: string
  readonly cell: (row: Row) => ReactNode
  readonly order: (row: Row) => string | number
}

/** Something to do with a row: its word, and the whole of it for who cannot see which row it stands in. */
export type RowAction<Row> = { readonly word: string; readonly label: (row: Row) => string; readonly onPress: (row: Row) => void }

type InventoryTableProps<Row> = {
  title: string
  columns: readonly InventoryColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** What is written into the filter is looked for in here. */
  textOf: (row: Row) => string
  actions?: readonly RowAction<Row>[]
  children?: ReactNode
}

/** More rows than this are folded away until they are asked for. */
const SHOWN_ROWS = 15

/** Things of a system in rows: ordered by any column, narrowed by a text. */
export function InventoryTable<Row>({ title, columns, rows, keyOf, textOf, actions = [], children }: InventoryTableProps<Row>) {
  const [sort, setSort] = useState<{ readonly id: string; readonly descending: boolean }>()
  const [filter, setFilter] = useState('')
  const [isOpen, setOpen] = useState(false)
  const part = filter.trim().toLocaleLowerCase()
  const column = columns.find(({ id }) => id === sort?.id)
  const found = rows.filter((row) => textOf(row).toLocaleLowerCase().includes(part))
  const ordered =
    column === undefined ? found : found.toSorted((a, b) => compare(column.order(a), column.order(b)) * (sort?.descending ? -1 : 1))
  const shown = isOpen ? ordered : ordered.slice(0, SHOWN_ROWS)
  const folded = ordered.length - SHOWN_ROWS
  const press = ({ id, isNumber = false }: InventoryColumn<Row>): void =>
    setSort((current) => ({ id, descending: current?.id === id ? !current.descending : isNumber }))

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
      </div>
      <div className="card">
        <table className="w-full table-fixed border-collapse text-note">
          <thead>
            <tr>
              {columns.map((one, index) => (
                <th
                  key={one.id}
                  scope="col"
                  aria-sort={sort?.id === one.id ? (sort.descending ? 'descending' : 'ascending') : undefined}
                  className={cn('h-8.5 border-b border-border px-3 font-medium', index === 0 ? '' : 'w-28', one.shownFrom)}
                >
                  <button
                    type="button"
                    onClick={() => press(one)}
                    className={cn(
                      'flex h-7 w-full items-center gap-1 whitespace-nowrap text-small hover:text-text',
                      one.isNumber === true && 'justify-end',
                      sort?.id === one.id ? 'text-text' : 'text-muted',
                    )}
                  >
                    {one.title}
                    {sort?.id === one.id && <Icon name={sort.descending ? 'down' : 'up'} className="size-3.5" />}
                  </button>
                </th>
              ))}
              {actions.length > 0 && (
                <th scope="col" className="w-34 border-b border-border max-sm:w-32">
                  <span className="sr-only">{words.column_actions()}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={keyOf(row)} className="border-t border-border first:border-t-0 hover:bg-hover">
                {columns.map((one, index) => (
                  <td
                    key={one.id}
                    className={cn(
                      'h-9 truncate px-3',
                      one.isNumber === true && 'text-right tabular-nums',
                      index > 0 && 'text-muted',
                      one.shownFrom,
                    )}
                  >
                    {one.cell(row)}
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
            ))}
            {ordered.length === 0 && (
              <tr>
                <td colSpan={columns.length + 1} className="h-9 px-3 text-muted">
                  {words.nothing_found()}
                </td>
              </tr>
            )}
          </tbody>
        </table>
        {folded > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="h-9 w-full border-t border-border text-note text-accent underline"
          >
            {isOpen ? words.show_fewer() : words.show_more({ count: folded })}
          </button>
        )}
      </div>
    </section>
  )
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true })
