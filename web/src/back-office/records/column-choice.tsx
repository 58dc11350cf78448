import { useDialog } from '../../navigation/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { ColumnList } from '../../ui/column-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import * as words from '../../words/messages.js'
import { shownFields, type CollectionModel } from './collections.ts'

type ColumnChoiceProps = { model: CollectionModel; columns: readonly string[]; onChoose: (columns: readonly string[]) => void }

/**
 * React component: button with a dialog for the columns of a records table: visibility and order. `columns` are the visible fields;
 * `onChoose` gets the new ones. The last visible column cannot be hidden.
 */
export function ColumnChoice({ model, columns, onChoose }: ColumnChoiceProps) {
  const { dialog, open, close } = useDialog()
  const hidden = shownFields(model).flatMap(({ name }) => (columns.includes(name) ? [] : [{ id: name, isHidden: true }]))
  return (
    <>
      <Button onClick={() => open('columns')}>{words.columns()}</Button>
      {dialog === 'columns' && (
        <Dialog title={words.columns()} description={words.columns_about()} onClose={close}>
          <ColumnList
            columns={[...columns.map((id) => ({ id, isHidden: false })), ...hidden]}
            titleOf={(id) => id}
            onChange={(next) => onChoose(next.flatMap(({ id, isHidden }) => (isHidden ? [] : [id])))}
          />
        </Dialog>
      )}
    </>
  )
}
