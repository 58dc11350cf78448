import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureDetailOf } from '../../../api/field-messages.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import * as words from '../../../words/messages.js'

type RemovalDialogProps = {
  title: string
  description: string
  /** Text of the button that confirms the removal, such as "Delete". */
  action: string
  remove: () => Promise<void>
  onClose: () => void
  /** React nodes: consequences of the removal, such as who loses access. */
  children: ReactNode
}

/**
 * React component: confirmation dialog for a removal on the settings page "Access", with its consequences as `children`. The button
 * `action` calls `remove`; a rejection is shown, a success closes the dialog.
 */
export function RemovalDialog({ title, description, action, remove, onClose, children }: RemovalDialogProps) {
  const removal = useMutation({ mutationFn: remove, onSuccess: onClose })
  return (
    <Dialog title={title} description={description} role="alertdialog" onClose={onClose}>
      {children}
      {removal.isError && <FormError message={failureDetailOf(removal.error)} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="danger" disabled={removal.isPending} onClick={() => removal.mutate()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
