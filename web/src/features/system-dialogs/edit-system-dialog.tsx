import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { editSystem } from '../../api/change-systems.ts'
import type { Role } from '../../api/client.ts'
import type { SystemDraft } from '../../api/system-draft.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import { emptyTagDraft } from '../../api/tag-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import * as words from '../../words/messages.js'
import { problemsOf, SystemFields } from './system-fields.tsx'
import { TagEditor } from './tag-editor.tsx'
import { savedChange, tagErrors } from './tags-dialog.tsx'

export function EditSystemDialog({ system, role, onClose }: { system: System; role: Role; onClose: () => void }) {
  const [draft, setDraft] = useState<SystemDraft>({ name: system.name, host: system.host, port: system.port })
  const [tagDraft, setTagDraft] = useState(emptyTagDraft)
  const change = useMutation({ mutationFn: () => editSystem(system, draft, savedChange(tagDraft, system)) })
  return (
    <Dialog
      title={words.edit_title({ name: system.name })}
      description={words.edit_description()}

      onClose={onClose}
    >
      <Form
        check={() => ({ ...problemsOf(draft), ...tagErrors(tagDraft) })}
        refused={fieldMessagesOf(change.error)}
        onSubmit={() => change.mutate(undefined, { onSuccess: onClose })}
      >
        <SystemFields draft={draft} onChange={setDraft} />
        <h3 className="-mb-2 text-note font-medium">{words.tags()}</h3>
        <TagEditor tags={system.tags} draft={tagDraft} role={role} onChange={setTagDraft} />
        {change.isError && <FormError message={messageOf(change.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={change.isPending}>
            {words.save()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
