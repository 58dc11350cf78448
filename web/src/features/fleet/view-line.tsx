import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { failureDetailOf, fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { deleteView, renameView, shareView, type SavedView } from '../../api/saved-views.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { LONGEST_VIEW_NAME } from './save-view-dialog.tsx'

/**
 * React component: line of a saved view in the dialog that manages views, with its actions. Forms for renaming and deleting replace the
 * line until they are done. With `mayShare`, the view can be shared.
 */
export function ViewLine({ view, mayShare }: { view: SavedView; mayShare: boolean }) {
  const [mode, setMode] = useState<'plain' | 'rename' | 'delete'>('plain')
  return (
    <li className="border-t border-border py-2 first:border-0">
      {mode === 'plain' && (
        <PlainLine view={view} mayShare={mayShare} onRename={() => setMode('rename')} onDelete={() => setMode('delete')} />
      )}
      {mode === 'rename' && <RenameForm view={view} onClose={() => setMode('plain')} />}
      {mode === 'delete' && <DeleteQuestion view={view} onClose={() => setMode('plain')} />}
    </li>
  )
}

type PlainLineProps = { view: SavedView; mayShare: boolean; onRename: () => void; onDelete: () => void }

function PlainLine({ view, mayShare, onRename, onDelete }: PlainLineProps) {
  const id = useId()
  const sharing = useMutation({
    mutationFn: (isShared: boolean) => shareView(view, isShared),
    onError: (error) =>
      showToast({ title: words.view_change_failed({ name: view.name }), description: failureDetailOf(error), look: 'destructive' }),
  })
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-32 flex-1 font-medium wrap-anywhere">
        {view.name}
        {!view.isOwn && <span className="block text-small font-normal text-muted">{words.view_of_other()}</span>}
      </span>
      {(mayShare || view.isShared) && (
        <span className="flex items-center gap-2">
          <span id={id} className="text-note text-muted">
            {words.view_shared()} <span className="sr-only">{view.name}</span>
          </span>
          <Switch
            labelledBy={id}
            isOn={sharing.isPending ? sharing.variables : view.isShared}
            disabled={sharing.isPending}
            onChange={(isShared) => sharing.mutate(isShared)}
          />
        </span>
      )}
      <Button aria-label={words.view_rename_one({ name: view.name })} onClick={onRename}>
        {words.rename()}
      </Button>
      <Button aria-label={words.view_delete_one({ name: view.name })} onClick={onDelete}>
        {words.delete_action()}
      </Button>
    </div>
  )
}

function RenameForm({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const renaming = useMutation({ mutationFn: (name: string) => renameView(view, name), onSuccess: onClose })
  const refused = fieldMessagesOf(renaming.error)
  return (
    <Form refused={refused} onSubmit={(textOf) => renaming.mutate(textOf('name'))}>
      <TextField
        label={words.view_rename_one({ name: view.name })}
        name="name"
        required
        maxLength={LONGEST_VIEW_NAME}
        autoComplete="off"
        defaultValue={view.name}
        ref={(input) => input?.focus()}
      />
      {renaming.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(renaming.error)} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="primary" type="submit" disabled={renaming.isPending}>
          {words.save()}
        </Button>
      </div>
    </Form>
  )
}

function DeleteQuestion({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const deletion = useMutation({ mutationFn: () => deleteView(view) })
  return (
    <div className="flex flex-col gap-2">
      <p className="wrap-anywhere">{(view.isShared ? words.view_delete_shared : words.view_delete_question)({ name: view.name })}</p>
      {deletion.isError && <FormError message={messageOf(deletion.error)} />}
      <div className="flex justify-end gap-2">
        <Button ref={(button) => button?.focus()} onClick={onClose}>
          {words.cancel()}
        </Button>
        <Button look="danger" disabled={deletion.isPending} onClick={() => deletion.mutate()}>
          {words.delete_action()}
        </Button>
      </div>
    </div>
  )
}
