import { LoadedPart } from '../navigation/loaded-part.tsx'
import { useDialog } from '../navigation/use-dialog.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import type { TableColumn } from '../ui/sortable-table.tsx'
import * as words from '../words/messages.js'
import type { TableId } from './settings.ts'

const ColumnsDialog = onDemand(async () => (await import('./columns-dialog.tsx')).ColumnsDialog)

type ColumnsButtonProps = { table: TableId; columns: readonly TableColumn[] }

/**
 * React component: button that opens the dialog for showing, hiding and reordering the `columns` of a table. `table` is the table's id,
 * such as `systems`, under which the choice is stored.
 */
export function ColumnsButton({ table, columns }: ColumnsButtonProps) {
  const { dialog, item, open, close } = useDialog()
  const isOpen = dialog === 'columns' && item === table
  return (
    <>
      <Button
        look="icon"
        aria-haspopup="dialog"
        aria-label={words.columns()}
        data-tooltip={words.columns()}
        onPointerEnter={ColumnsDialog.preload}
        onClick={() => open('columns', table)}
      >
        <Icon name="table" />
      </Button>
      <LoadedPart resetKey={String(isOpen)}>{isOpen && <ColumnsDialog table={table} columns={columns} onClose={close} />}</LoadedPart>
    </>
  )
}
