import { confirmPasswordReset } from '../../api/password-reset.ts'
import { failureDetailOf, fieldMessagesOf } from '../../api/field-messages.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { AskAgain, BackToSignIn, EntryNote, LinkIsOver } from './entry-note.tsx'
import { useMailedChange } from './use-mailed-change.ts'

/** React component: page that the emailed link for a forgotten password opens. It sets a new password; `token` comes from the link. */
export function ResetPasswordPage({ token }: { token: string }) {
  usePageTitle(words.field_new_password())
  const { change, isOver } = useMailedChange(token, confirmPasswordReset)
  return (
    <EntryCard title={words.reset_title()} description={words.reset_description()}>
      {change.isSuccess && <EntryNote>{words.reset_done()}</EntryNote>}
      {isOver && (
        <LinkIsOver>
          <AskAgain />
        </LinkIsOver>
      )}
      {!change.isSuccess && !isOver && (
        <Form
          className="flex flex-col gap-3.5"
          refused={fieldMessagesOf(change.error)}
          onSubmit={(textOf) => change.mutate(textOf('password'))}
        >
          <NewPasswordField label={words.field_new_password()} />
          {change.isError && <FormError message={failureDetailOf(change.error)} />}
          <Button look="primary" type="submit" disabled={change.isPending} className="h-9 justify-center">
            {words.reset_save()}
          </Button>
        </Form>
      )}
      <BackToSignIn />
    </EntryCard>
  )
}
