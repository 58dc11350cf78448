import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import * as words from '../../words/messages.js'
import { shownFields, type CollectionModel } from './collections.ts'

type ColumnChoiceProps = { model: CollectionModel; columns: readonly string[]; onChoose: (columns: readonly string[]) => void }

/** Which fields have a column. The last one stays. */
export function ColumnChoice({ model, columns, onChoose }: ColumnChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const fields = shownFields(model).map(({ name }) => name)
  const toggle = (name: string) => onChoose(fields.filter((one) => columns.includes(one) !== (one === name)))
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.office_columns()}</Button>
      {isOpen && (
        <Dialog
          title={words.office_columns()}
          description={words.office_columns_about()}

          onClose={() => setOpen(false)}
        >
          <ul className="grid grid-cols-2 gap-x-4">
            {fields.map((name) => (
              <li key={name}>
                <label className="flex min-h-8 items-center gap-2 wrap-anywhere">
                  <input
                    type="checkbox"
                    checked={columns.includes(name)}
                    disabled={columns.length === 1 && columns.includes(name)}
                    onChange={() => toggle(name)}
                    className="size-4"
                  />
                  {name}
                </label>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}
