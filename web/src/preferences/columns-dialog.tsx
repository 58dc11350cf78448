import { Button } from '../ui/button.tsx'
import { ColumnList } from '../ui/column-list.tsx'
import { arrangeColumns, columnsText } from '../ui/column-order.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { TableColumn } from '../ui/sortable-table.tsx'
import { showToast } from '../ui/toasts.ts'
import * as words from '../words/messages.js'
import type { TableId } from './settings.ts'
import { storedChange } from './stored-change.ts'
import { useChangeSettings } from './use-change-settings.ts'
import { useSettings } from './use-preferences.ts'

type ColumnsDialogProps = { table: TableId; columns: readonly TableColumn[]; onClose: () => void }

/**
 * React component: dialog that shows, hides and reorders the columns of the table `table`, such as `systems`. Each change is applied and
 * saved to the account at once.
 */
export function ColumnsDialog({ table, columns, onClose }: ColumnsDialogProps) {
  const saving = useChangeSettings()
  const text = useSettings().columns[table]
  const ids = columns.map(({ id }) => id)
  const store = (next: string | undefined) =>
    saving.mutate(
      { merge: storedChange({ columns: { [table]: next } }) },
      { onError: (error) => showToast({ title: words.settings_failed(), description: error.message, look: 'destructive' }) },
    )
  return (
    <Dialog title={words.columns()} description={words.columns_about()} onClose={onClose}>
      <ColumnList
        columns={arrangeColumns(ids, text)}
        titleOf={(id) => columns.find((one) => one.id === id)?.title() ?? id}
        onChange={(next) => store(columnsText(next))}
      />
      <div className="flex justify-end gap-2">
        <Button disabled={text === undefined} onClick={() => store(undefined)}>
          {words.columns_reset()}
        </Button>
        <Button look="primary" onClick={onClose}>
          {words.done()}
        </Button>
      </div>
    </Dialog>
  )
}
