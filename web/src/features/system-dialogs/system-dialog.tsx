import { lazy, Suspense } from 'react'
import type { SignedInUser } from '../../api/client.ts'
import type { SystemDraft } from '../../api/system-draft.ts'
import type { System } from '../../api/system-record.ts'
import { AddSystemDialog, type RefusedFields, type Reopen } from './add-system-dialog.tsx'
import { DeleteSystemDialog } from './delete-system-dialog.tsx'
import { EditSystemDialog } from './edit-system-dialog.tsx'

const AlertSheet = lazy(async () => ({ default: (await import('./alert-sheet.tsx')).AlertSheet }))

export type SystemDialogRequest =
  | { readonly kind: 'add'; readonly draft: SystemDraft; readonly refused: RefusedFields }
  | { readonly kind: 'edit' | 'delete' | 'alerts'; readonly system: System }

type SystemDialogProps = {
  request: SystemDialogRequest
  user: SignedInUser
  onClose: () => void
  onReopen: Reopen
}

/** The dialogs about one system, loaded together when the first is asked for. */
export function SystemDialog({ request, user, onClose, onReopen }: SystemDialogProps) {
  switch (request.kind) {
    case 'add':
      return <AddSystemDialog draft={request.draft} refused={request.refused} user={user} onClose={onClose} onReopen={onReopen} />
    case 'edit':
      return <EditSystemDialog system={request.system} onClose={onClose} />
    case 'alerts':
      return (
        <Suspense>
          <AlertSheet system={request.system} onClose={onClose} />
        </Suspense>
      )
    case 'delete':
      return <DeleteSystemDialog system={request.system} onClose={onClose} />
  }
}
