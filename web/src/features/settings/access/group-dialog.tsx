import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Group } from '../../../api/access-lists.ts'
import { addGroup, changeGroup, type GroupDraft } from '../../../api/change-access.ts'
import { fieldMessagesOf } from '../../../api/field-messages.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import * as words from '../../../words/messages.js'
import { withMembers } from './access-model.ts'
import { ClaimFields } from './claim-fields.tsx'
import { Losses } from './losses.tsx'
import { MembersField } from './members-field.tsx'
import type { Access } from './use-access.ts'

type GroupDialogProps = {
  /** Group of users that the dialog edits; `undefined` to add a group. */
  group: Group | undefined
  access: Access
  onClose: () => void
}

const LONGEST_NAME = 255

const newGroup: Group = { id: '', name: '', memberIds: [], claimedIds: [], claim: '', role: '' }

/**
 * React component: dialog that adds a group of users, or edits name, members and claim of `group`. It lists the users who lose access when
 * members are removed. `access` has the loaded lists of the settings page "Access".
 */
export function GroupDialog({ group, access, onClose }: GroupDialogProps) {
  const before = group ?? newGroup
  const [chosen, setChosen] = useState(before.memberIds)
  const [claim, setClaim] = useState(before.claim)
  const [role, setRole] = useState(before.role)
  const saving = useMutation({
    mutationFn: (draft: GroupDraft) => (group === undefined ? addGroup(draft) : changeGroup(group, draft)),
    onSuccess: onClose,
  })
  const refused = fieldMessagesOf(saving.error)
  const [title, description] =
    group === undefined
      ? [words.group_new(), words.group_new_about()]
      : [words.group_edit_title({ name: group.name }), words.group_edit_about()]
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <Form
        refused={refused}
        onSubmit={(textOf) =>
          saving.mutate({ name: textOf('name'), memberIds: chosen, claim: claim.trim(), role: claim.trim() === '' ? '' : role })
        }
      >
        <TextField label={words.field_name()} name="name" required maxLength={LONGEST_NAME} autoComplete="off" defaultValue={before.name} />
        <MembersField people={access.people} chosen={chosen} onChange={setChosen} />
        <ClaimFields claim={claim} role={role} onClaim={setClaim} onRole={setRole} />
        {before.memberIds.some((id) => !chosen.includes(id)) && (
          <Losses access={access} after={(state) => withMembers(state, before, chosen)} />
        )}
        {saving.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(saving.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {words.save()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
