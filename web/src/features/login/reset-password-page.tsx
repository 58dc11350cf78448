import { confirmPasswordReset } from '../../api/client.ts'
import { detailOf, fieldMessagesOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { AskAgain, BackToSignIn, EntryNote, LinkIsOver } from './entry-note.tsx'
import { MIN_PASSWORD_LENGTH } from './password-length.ts'
import { useMailedChange } from './use-mailed-change.ts'

/** Behind the link that was mailed: sets the new password. */
export function ResetPasswordPage({ token }: { token: string }) {
  usePageTitle(words.title_forgot_password())
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
          <TextField
            label={words.field_new_password()}
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            hint={words.password_hint({ length: MIN_PASSWORD_LENGTH })}
          />
          {change.isError && <FormError message={detailOf(change.error)} />}
          <Button look="primary" type="submit" disabled={change.isPending} className="h-9 justify-center">
            {words.reset_save()}
          </Button>
        </Form>
      )}
      <BackToSignIn />
    </EntryCard>
  )
}
