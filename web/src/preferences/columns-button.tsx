import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { TableColumn } from '../ui/sortable-table.tsx'
import * as words from '../words/messages.js'
import type { TableId } from './settings.ts'

const loadDialog = () => import('./columns-dialog.tsx')
const ColumnsDialog = lazy(async () => ({ default: (await loadDialog()).ColumnsDialog }))

type ColumnsButtonProps = { table: TableId; columns: readonly TableColumn[] }

/** Opens the arrangement of a table's columns. */
export function ColumnsButton({ table, columns }: ColumnsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        look="icon"
        aria-haspopup="dialog"
        aria-label={words.columns()}
        data-tooltip={words.columns()}
        onPointerEnter={() => void loadDialog().catch(() => undefined)}
        onClick={() => setOpen(true)}
      >
        <Icon name="table" />
      </Button>
      <Suspense>{isOpen && <ColumnsDialog table={table} columns={columns} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
