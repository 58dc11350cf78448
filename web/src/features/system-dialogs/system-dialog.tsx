import { useQuery } from '@tanstack/react-query'
import type { SignedInUser } from '../../api/client.ts'
import { systemsQuery } from '../../api/queries.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { AddSystemDialog, type ReopenedDraft } from './add-system-dialog.tsx'
import { DeleteSystemDialog } from './delete-system-dialog.tsx'
import { EditSystemDialog } from './edit-system-dialog.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { TagsDialog } from './tags-dialog.tsx'

const AlertSheet = onDemand(async () => (await import('./alert-sheet.tsx')).AlertSheet)

type SystemDialogProps = {
  kind: 'add' | 'edit' | 'delete' | 'alerts' | 'tags'
  /** Id, from the URL, of the system that the open dialog is about. If there is no such system, no dialog is rendered. */
  systemId: string
  user: SignedInUser
  reopened: ReopenedDraft | undefined
  onClose: () => void
  onReopen: (draft: ReopenedDraft) => void
}

/**
 * React component: the dialog about one system that `kind` names (add, edit, delete, alerts, tags). For the role `readonly` it renders only
 * alerts and tags. The dialogs share a code chunk, apart from the alert sheet.
 */
export function SystemDialog({ kind, systemId, user, reopened, onClose, onReopen }: SystemDialogProps) {
  const { data: systems } = useQuery(systemsQuery)
  // A link may open a dialog that this person's buttons do not offer.
  if (kind !== 'alerts' && kind !== 'tags' && user.role === 'readonly') return null
  if (kind === 'add') return <AddSystemDialog reopened={reopened} user={user} onClose={onClose} onReopen={onReopen} />
  const system = systems?.find(({ id }) => id === systemId)
  if (system === undefined) return null
  if (kind === 'edit') return <EditSystemDialog system={system} role={user.role} onClose={onClose} />
  if (kind === 'tags') return <TagsDialog system={system} role={user.role} onClose={onClose} />
  if (kind === 'delete') return <DeleteSystemDialog system={system} onClose={onClose} />
  return (
    <LoadedPart>
      <AlertSheet system={system} onClose={onClose} />
    </LoadedPart>
  )
}
