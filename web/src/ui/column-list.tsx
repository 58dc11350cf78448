import { Button } from './button.tsx'
import { moveColumn, toggleColumn, type ArrangedColumn } from './column-order.ts'
import { Icon } from './icon.tsx'
import * as words from '../words/messages.js'

type ColumnListProps = {
  columns: readonly ArrangedColumn[]
  titleOf: (id: string) => string
  onChange: (columns: readonly ArrangedColumn[]) => void
}

/**
 * React component: list of a table's columns, which the user shows, hides and reorders with pointer or keyboard. `onChange` gets all
 * columns in their new order. The last visible column cannot be hidden.
 */
export function ColumnList({ columns, titleOf, onChange }: ColumnListProps) {
  const isLast = columns.filter(({ isHidden }) => !isHidden).length === 1
  return (
    <ul className="flex flex-col">
      {columns.map(({ id, isHidden }, index) => {
        const name = titleOf(id)
        return (
          <li key={id} className="flex min-h-9 items-center gap-1">
            <label className="flex min-h-8 min-w-0 flex-1 items-center gap-2.5 wrap-anywhere">
              <input
                type="checkbox"
                checked={!isHidden}
                disabled={isLast && !isHidden}
                onChange={() => onChange(toggleColumn(columns, id))}
                className="size-4 accent-accent"
              />
              {name}
            </label>
            <Button
              look="icon"
              aria-label={words.column_up({ name })}
              disabled={index === 0}
              onClick={() => onChange(moveColumn(columns, id, -1))}
            >
              <Icon name="up" />
            </Button>
            <Button
              look="icon"
              aria-label={words.column_down({ name })}
              disabled={index === columns.length - 1}
              onClick={() => onChange(moveColumn(columns, id, 1))}
            >
              <Icon name="down" />
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
