import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '../../api/client.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { savedViewsQuery, saveView } from '../../api/saved-views.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'

/** Maximum length of the name of a saved view, 100 characters; the field accepts no more. */
export const LONGEST_VIEW_NAME = 100

type SaveViewDialogProps = { search: string; role: Role; onClose: () => void }

/**
 * React component: dialog that saves `search` (filter, sort order and grouping of the list of systems, as URL search) as a view with a
 * name. A view of the user with that name is replaced.
 */
export function SaveViewDialog({ search, role, onClose }: SaveViewDialogProps) {
  const { data: views = [] } = useQuery(savedViewsQuery)
  const [name, setName] = useState('')
  const [isShared, setShared] = useState<boolean>()
  const replaced = views.find((view) => view.isOwn && view.name === name.trim())
  const shares = isShared ?? replaced?.isShared ?? false
  const saving = useMutation({
    mutationFn: () => saveView({ name: name.trim(), search, isShared: shares }, replaced?.id),
    onSuccess: () => {
      showToast({ title: words.view_saved({ name: name.trim() }) })
      onClose()
    },
  })
  const refused = fieldMessagesOf(saving.error)
  return (
    <Dialog title={words.view_save_title()} description={words.view_save_about()} onClose={onClose}>
      <Form refused={refused} onSubmit={() => saving.mutate()}>
        <TextField
          label={words.field_name()}
          name="name"
          required
          maxLength={LONGEST_VIEW_NAME}
          autoComplete="off"
          hint={replaced === undefined ? undefined : words.view_replaces()}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {role !== 'readonly' && (
          <SwitchField label={words.view_share()} name="shared" hint={words.view_share_about()} isOn={shares} onChange={setShared} />
        )}
        {saving.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(saving.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {replaced === undefined ? words.save() : words.view_replace()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
