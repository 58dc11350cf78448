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

/** Validates the field for new tags of a form. Returns its translated message under the name `tags`, or an empty object. */
export function tagErrors(draft: TagDraft): FieldErrors {
  const error = tagErrorOf(draft.typed)
  return error === undefined ? {} : { tags: error }
}

/** Returns the change of a draft with the typed text, which the user may not have added before saving. */
export const savedChange = (draft: TagDraft, { tags }: System) => tagChangeOf(withAdded(draft, tagsIn(draft.typed), tags))

/** React component: dialog with all tags of a system and their sources. Read-only accounts cannot change them. */
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
