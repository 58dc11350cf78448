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
  /** Text of the button that removes. */
  action: string
  remove: () => Promise<void>
  onClose: () => void
  /** Consequences of the removal. */
  children: ReactNode
}

/** React component: dialog that shows the consequences of a removal and asks for confirmation. */
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
