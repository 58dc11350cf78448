import { useMutation } from '@tanstack/react-query'
import { changePassword } from '../../api/account.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { Card } from '../../ui/card.tsx'

/** React component: settings card that changes the password; it asks for the current one. */
export function PasswordCard() {
  const change = useMutation({ mutationFn: changePassword })
  return (
    <Card id="password" title={words.settings_password()} description={words.settings_password_about()}>
      <Form
        check={(textOf) => (textOf('password') === textOf('again') ? {} : { again: words.passwords_differ() })}
        refused={fieldMessagesOf(change.error)}
        onSubmit={(textOf, form) =>
          change.mutate({ oldPassword: textOf('oldPassword'), password: textOf('password') }, { onSuccess: () => form.reset() })
        }
      >
        <TextField label={words.field_old_password()} name="oldPassword" type="password" autoComplete="current-password" required />
        <NewPasswordField label={words.field_new_password()} />
        <TextField label={words.field_password_again()} name="again" type="password" autoComplete="new-password" required />
        {change.isError && <FormError message={messageOf(change.error)} />}
        <div className="flex items-center gap-3">
          <Button look="primary" type="submit" disabled={change.isPending}>
            {words.change_password()}
          </Button>
          <output className="text-small text-muted">{change.isSuccess && words.password_changed()}</output>
        </div>
      </Form>
    </Card>
  )
}
