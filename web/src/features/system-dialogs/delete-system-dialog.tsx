import { useMutation } from '@tanstack/react-query'
import { deleteSystem } from '../../api/change-systems.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

export function DeleteSystemDialog({ system, onClose }: { system: System; onClose: () => void }) {
  const deletion = useMutation({
    mutationFn: () => deleteSystem(system),
  })
  return (
    <Dialog
      title={words.delete_title({ name: system.name })}
      description={words.delete_description()}

      role="alertdialog"
      onClose={onClose}
    >
      {deletion.isError && <FormError message={messageOf(deletion.error)} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="danger" disabled={deletion.isPending} onClick={() => deletion.mutate(undefined, { onSuccess: onClose })}>
          {words.delete_action()}
        </Button>
      </div>
    </Dialog>
  )
}
