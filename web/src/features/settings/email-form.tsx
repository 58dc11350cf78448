import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendsMailQuery, requestEmailChange } from '../../api/accounts.ts'
import type { SignedInUser } from '../../api/client.ts'
import { messageOf, RequestFailed } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'

/** The address one signs in with. Another one is used once the link that is mailed to it was followed; without mail, an admin changes it. */
export function EmailForm({ user }: { user: SignedInUser }) {
  const { data: sendsMail } = useQuery(sendsMailQuery)
  const ask = useMutation({ mutationFn: requestEmailChange })
  const [isSame, setSame] = useState(false)
  if (sendsMail !== true)
    return <TextField label={words.field_email()} value={user.email} readOnly className="mb-3" hint={words.email_changed_by_admin()} />
  const refused = ask.error instanceof RequestFailed ? ask.error.fieldMessages['newEmail'] : undefined
  return (
    <form
      className="mb-4 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const email = new FormData(event.currentTarget).get('newEmail')
        setSame(email === user.email)
        if (email !== user.email) ask.mutate(typeof email === 'string' ? email.trim() : '')
      }}
    >
      <TextField
        label={words.field_email()}
        name="newEmail"
        type="email"
        autoComplete="email"
        required
        defaultValue={user.email}
        error={isSame ? words.email_is_yours() : refused}
      />
      {ask.isError && refused === undefined && <FormError message={messageOf(ask.error)} />}
      <div className="flex items-center gap-3">
        <Button type="submit" disabled={ask.isPending}>
          {words.change_email()}
        </Button>
        <output className="text-small text-muted wrap-anywhere">
          {ask.isSuccess && !isSame && words.email_change_mailed({ email: ask.variables })}
        </output>
      </div>
    </form>
  )
}
