import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { createApiKey, keyScopes, type KeyScope } from '../../api/api-keys.ts'
import { systemsQuery } from '../../api/queries.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { countTags } from '../../api/system-tags.ts'
import { tagErrorOf } from '../../format/tag-error.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import type { FieldErrors } from '../../ui/form-errors.ts'
import { Form } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { chooseTags, noTagChoice, type TagChoice } from '../../ui/tag-choice.ts'
import { TagChoiceField } from '../../ui/tag-choice-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { scopeHint, scopeName } from './key-scopes.ts'

type CreateKeyDialogProps = {
  /** True when the signed-in user has the role `readonly`, and so may create only API keys with the scope `read`. */
  isReadOnly: boolean
  onCreated: () => void
  onClose: () => void
}

const LONGEST_NAME = 100
const lifetimes = ['30', '90', '365', 'none'] as const
type Lifetime = (typeof lifetimes)[number]

const lifetimeName = (days: Lifetime): string => (days === 'none' ? words.api_key_no_end() : words.api_key_days({ count: Number(days) }))

/**
 * React component: dialog that creates an API key, and then shows the secret text of the key once. `onCreated` is called after the hub has
 * created it.
 */
export function CreateKeyDialog({ isReadOnly, onCreated, onClose }: CreateKeyDialogProps) {
  const [scope, setScope] = useState<KeyScope>('read')
  const [tagChoice, setTagChoice] = useState(noTagChoice)
  const { data: systems } = useQuery(systemsQuery)
  const proposals = useMemo(() => [...countTags(systems ?? []).keys()], [systems])
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const creation = useMutation({ mutationFn: createApiKey, onSuccess: onCreated })
  if (creation.data !== undefined) return <CreatedKey text={creation.data} onClose={onClose} />
  const refused = fieldMessagesOf(creation.error)
  const scopes = isReadOnly ? (['read'] as const) : keyScopes
  const days = lifetime === 'none' ? undefined : Number(lifetime)
  return (
    <Dialog title={words.api_key_create()} description={words.api_key_create_about()} onClose={onClose}>
      <Form
        check={() => tagErrors(tagChoice)}
        refused={refused}
        onSubmit={(textOf) => creation.mutate({ name: textOf('name'), scope, tags: chooseTags(tagChoice, tagChoice.typed).tags, days })}
      >
        <TextField
          label={words.field_name()}
          name="name"
          required
          maxLength={LONGEST_NAME}
          autoComplete="off"
          hint={words.api_key_name_hint()}
        />
        <SelectField
          label={words.api_key_scope()}
          name="scope"
          hint={scopeHint[scope]()}
          choices={scopes.map((value) => ({ value, label: scopeName[value]() }))}
          value={scope}
          onChange={setScope}
        />
        <TagChoiceField
          label={words.api_key_tags()}
          name="tags"
          hint={scope === 'ingest' ? words.api_key_tags_enrol() : words.api_key_tags_limit()}
          proposals={proposals}
          choice={tagChoice}
          onChange={setTagChoice}
        />
        <SelectField
          label={words.api_key_lifetime()}
          name="expires"
          choices={lifetimes.map((value) => ({ value, label: lifetimeName(value) }))}
          value={lifetime}
          onChange={setLifetime}
        />
        {creation.isError && Object.keys(refused).length === 0 && <FormError message={messageOf(creation.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={creation.isPending}>
            {words.api_key_create()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function tagErrors({ typed }: TagChoice): FieldErrors {
  const error = tagErrorOf(typed)
  return error === undefined ? {} : { tags: error }
}

function CreatedKey({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Dialog title={words.api_key_created()} description={words.api_key_created_about()} onClose={onClose}>
      <div className="flex items-end gap-2">
        <TextField
          label={words.api_key()}
          readOnly
          value={text}
          className="min-w-0 flex-1 font-mono text-small"
          onFocus={({ target }) => target.select()}
        />
        <Button className="h-9" onClick={() => void copyText(text, { copied: words.copied(), askManually: words.copy_manually() })}>
          {words.copy()}
        </Button>
      </div>
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          {words.close()}
        </Button>
      </div>
    </Dialog>
  )
}
