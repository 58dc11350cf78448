import { useMutation, useQuery } from '@tanstack/react-query'
import { sendsMailQuery } from '../../api/accounts.ts'
import { requestPasswordReset } from '../../api/password-reset.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { BackToSignIn, EntryNote } from './entry-note.tsx'

/** React component: page that requests a password reset link by email. The hub's response is equal whether or not the account exists. */
export function ForgotPasswordPage() {
  usePageTitle(words.title_forgot_password())
  const { data: sendsMail, isPending: isUnknown } = useQuery({ ...sendsMailQuery, retry: false })
  const request = useMutation({ mutationFn: requestPasswordReset })
  // The message depends on whether the hub sends mail, so it waits for that response.
  const isSent = request.isSuccess && !isUnknown
  // A failed request counts as a hub that sends mail.
  const isWithoutMail = sendsMail === false
  return (
    <EntryCard title={words.forgot_title()} description={isWithoutMail ? words.forgot_no_mail() : words.forgot_description()}>
      {isSent && <EntryNote>{isWithoutMail ? words.forgot_no_mail() : words.forgot_sent()}</EntryNote>}
      {!isSent && (
        <Form className="flex flex-col gap-3.5" onSubmit={(textOf) => request.mutate(textOf('email'))}>
          <TextField label={words.field_email()} name="email" type="email" autoComplete="username" required />
          {request.isError && <FormError message={messageOf(request.error)} />}
          <Button look="primary" type="submit" disabled={request.isPending || request.isSuccess} className="h-9 justify-center">
            {words.forgot_send()}
          </Button>
        </Form>
      )}
      <div className="flex flex-col gap-1.5 border-t border-border pt-4 text-note text-muted">
        <p>{words.forgot_without_mail()}</p>
        <code className="rounded-control bg-sunken px-2 py-1.5 font-mono text-small wrap-anywhere text-text">
          vedette user password EMAIL --password-stdin
        </code>
      </div>
      <BackToSignIn />
    </EntryCard>
  )
}
