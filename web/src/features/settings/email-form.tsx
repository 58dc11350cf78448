import { useMutation, useQuery } from '@tanstack/react-query'
import { sendsMailQuery, requestEmailChange } from '../../api/accounts.ts'
import type { SignedInUser } from '../../api/client.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'

/**
 * React component: form for the account's email address. A change takes effect after the mailed link is confirmed. When the hub cannot send
 * email, or that is not known yet, the field is read-only; an admin then changes the address.
 */
export function EmailForm({ user }: { user: SignedInUser }) {
  const { data: sendsMail } = useQuery(sendsMailQuery)
  const ask = useMutation({ mutationFn: requestEmailChange })
  if (sendsMail !== true)
    return <TextField label={words.field_email()} value={user.email} readOnly className="mb-3" hint={words.email_changed_by_admin()} />
  const refused = fieldMessagesOf(ask.error)
  return (
    <Form
      className="mb-4 flex flex-col gap-3"
      check={(textOf) => (textOf('newEmail') === user.email ? { newEmail: words.email_is_yours() } : {})}
      refused={refused}
      onSubmit={(textOf) => ask.mutate(textOf('newEmail'))}
    >
      <TextField label={words.field_email()} name="newEmail" type="email" autoComplete="email" required defaultValue={user.email} />
      {ask.isError && refused['newEmail'] === undefined && <FormError message={messageOf(ask.error)} />}
      <div className="flex items-center gap-3">
        <Button type="submit" disabled={ask.isPending}>
          {words.change_email()}
        </Button>
        <output className="text-small text-muted wrap-anywhere">
          {ask.isSuccess && words.email_change_mailed({ email: ask.variables })}
        </output>
      </div>
    </Form>
  )
}
