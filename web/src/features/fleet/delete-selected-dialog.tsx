import type { System } from '../../api/system-record.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import * as words from '../../words/messages.js'

type DeleteSelectedDialogProps = { systems: readonly System[]; onDelete: () => void; onClose: () => void }

/**
 * React component: dialog that lists the names of the given systems and asks for confirmation of their deletion. The confirming button
 * calls `onDelete`, which must delete them.
 */
export function DeleteSelectedDialog({ systems, onDelete, onClose }: DeleteSelectedDialogProps) {
  const [only] = systems
  const [title, description] =
    systems.length === 1 && only !== undefined
      ? [words.delete_title({ name: only.name }), words.delete_description()]
      : [words.delete_several_title({ count: systems.length }), words.delete_several_description()]
  return (
    <Dialog title={title} description={description} role="alertdialog" onClose={onClose}>
      <ul className="flex max-h-48 flex-wrap gap-x-3 gap-y-1 overflow-y-auto wrap-anywhere">
        {systems.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="danger" onClick={onDelete}>
          {words.delete_action()}
        </Button>
      </div>
    </Dialog>
  )
}
