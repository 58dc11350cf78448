import { confirmEmailChange } from '../../api/accounts.ts'
import { clearSession } from '../../api/client.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { BackToSignIn, EntryNote, LinkIsOver } from './entry-note.tsx'
import { useMailedChange } from './use-mailed-change.ts'

/**
 * React component: page that the emailed link for a new email address opens; `token` comes from the link. It asks for the password to
 * confirm; all sessions of the user end with the change.
 */
export function ChangeEmailPage({ token }: { token: string }) {
  usePageTitle(words.title_change_email())
  const { change, isOver } = useMailedChange(token, confirmEmailChange)
  const isPasswordWrong = fieldMessagesOf(change.error)['password'] !== undefined
  return (
    <EntryCard title={words.change_email_title()} description={words.change_email_description()}>
      {change.isSuccess && <EntryNote>{words.change_email_done()}</EntryNote>}
      {isOver && <LinkIsOver />}
      {!change.isSuccess && !isOver && (
        <Form
          className="flex flex-col gap-3.5"
          refused={isPasswordWrong ? { password: words.password_wrong() } : {}}
          onSubmit={(textOf) => change.mutate(textOf('password'))}
        >
          <TextField label={words.field_password()} name="password" type="password" autoComplete="current-password" required />
          {change.isError && !isPasswordWrong && <FormError message={messageOf(change.error)} />}
          <Button look="primary" type="submit" disabled={change.isPending} className="h-9 justify-center">
            {words.change_email_confirm()}
          </Button>
        </Form>
      )}
      {/* The session has ended with the change. Clearing it earlier would unmount this page. */}
      <BackToSignIn {...(change.isSuccess ? { onLeave: clearSession } : {})} />
    </EntryCard>
  )
}
