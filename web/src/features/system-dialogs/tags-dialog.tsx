import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changeTags } from '../../api/change-systems.ts'
import type { Role } from '../../api/client.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import { tagChangeOf, emptyTagDraft, withAdded, type TagDraft } from '../../api/tag-draft.ts'
import { tagErrorOf } from '../../format/tag-error.ts'
import { tagsIn } from '../../format/tag-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import type { FieldErrors } from '../../ui/form-errors.ts'
import { Form } from '../../ui/form.tsx'
import * as words from '../../words/messages.js'
import { TagEditor } from './tag-editor.tsx'

/**
 * Validates the text typed in a form's field for new tags. Returns its translated error as `{ tags: … }`, or an empty object when it is
 * valid.
 */
export function tagErrors(draft: TagDraft): FieldErrors {
  const error = tagErrorOf(draft.typed)
  return error === undefined ? {} : { tags: error }
}

/**
 * Returns the change of a system's tags to send (PATCH body of the records API) when the form is saved. It includes tags that are typed but
 * not yet added.
 */
export const savedChange = (draft: TagDraft, { tags }: System) => tagChangeOf(withAdded(draft, tagsIn(draft.typed), tags))

/**
 * React component: dialog that shows all tags of a system with their sources, such as `agent`, and edits them. With the role `readonly`,
 * nothing can be changed.
 */
export function TagsDialog({ system, role, onClose }: { system: System; role: Role; onClose: () => void }) {
  const [draft, setDraft] = useState(emptyTagDraft)
  const change = useMutation({ mutationFn: () => changeTags(system, savedChange(draft, system)) })
  const refused = fieldMessagesOf(change.error)
  return (
    <Dialog title={words.tags_title({ name: system.name })} description={words.tags_about()} onClose={onClose}>
      <Form check={() => tagErrors(draft)} refused={refused} onSubmit={() => change.mutate(undefined, { onSuccess: onClose })}>
        <TagEditor tags={system.tags} draft={draft} role={role} onChange={setDraft} />
        {change.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(change.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{role === 'readonly' ? words.close() : words.cancel()}</Button>
          {role !== 'readonly' && (
            <Button look="primary" type="submit" disabled={change.isPending}>
              {words.save()}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  )
}
