import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Holder, Right } from '../../../api/access-lists.ts'
import { grantTag } from '../../../api/change-access.ts'
import { fieldMessagesOf } from '../../../api/field-messages.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { countTags } from '../../../api/system-tags.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import type { FieldErrors } from '../../../ui/form-errors.ts'
import { Form } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TagField } from '../../../ui/tag-field.tsx'
import * as words from '../../../words/messages.js'
import { personName } from './access-model.ts'
import { rightChoices } from './right-choices.ts'
import { readSingleTag } from '../../../format/single-tag.ts'
import { TagReachText } from './tag-reach-text.tsx'
import type { Access } from './use-access.ts'

type GrantDialogProps = {
  /** User or group to whom the dialog grants a tag; with `undefined`, the admin selects a user (neither a group nor an admin) in it. */
  holder: Holder | undefined
  access: Access
  onClose: () => void
}

/**
 * React component: dialog that grants a tag to a user or group (`holder`), with the right to view or change. It shows on how many systems
 * that gives access.
 */
export function GrantDialog({ holder: fixed, access, onClose }: GrantDialogProps) {
  const people = (access.people ?? []).filter(({ role }) => role !== 'admin')
  const [person, setPerson] = useState(people[0]?.id ?? '')
  const [tag, setTag] = useState('')
  const [may, setMay] = useState<Right>('view')
  const holder: Holder = fixed ?? { kind: 'user', id: person }
  const proposals = useMemo(() => [...countTags(access.systems ?? []).keys()], [access.systems])
  const granting = useMutation({ mutationFn: (wanted: string) => grantTag(holder, wanted, may), onSuccess: onClose })
  const refused = fieldMessagesOf(granting.error)
  const read = readSingleTag(tag)

  const check = (): FieldErrors => {
    if ('error' in read) return { tag: read.error }
    const isKnown = access.grants?.some((one) => one.tag === read.tag && one.holder.kind === holder.kind && one.holder.id === holder.id)
    return isKnown === true ? { tag: words.grant_exists() } : {}
  }

  const title = fixed === undefined ? words.grant_tag() : words.grant_tag_to({ name: access.nameOf(fixed) })
  return (
    <Dialog title={title} description={words.grant_about()} onClose={onClose}>
      <Form check={check} refused={refused} onSubmit={() => 'tag' in read && granting.mutate(read.tag)}>
        {fixed === undefined && (
          <SelectField
            label={words.grant_person()}
            name="user"
            choices={people.map((one) => ({ value: one.id, label: personName(one) }))}
            value={person}
            onChange={setPerson}
          />
        )}
        <TagField label={words.grant_field()} name="tag" isSingle typed={tag} proposals={proposals} onType={setTag} onAdd={setTag} />
        <output className="block">{'tag' in read && <TagReachText reach={access.reachOf(read.tag)} />}</output>
        <SelectField
          label={words.grant_may()}
          name="may"
          hint={words.grant_may_about()}
          choices={rightChoices()}
          value={may}
          onChange={setMay}
        />
        {granting.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(granting.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={granting.isPending}>
            {words.grant_save()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
