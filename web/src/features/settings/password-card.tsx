import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword } from '../../api/account.ts'
import { messageOf, RequestFailed } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { SettingsCard } from './settings-card.tsx'

const LEAST_LENGTH = 8

const typed = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Another password, for who knows the one there is. */
export function PasswordCard() {
  const [differs, setDiffers] = useState(false)
  const change = useMutation({ mutationFn: changePassword })
  const refused = change.error instanceof RequestFailed ? change.error.fieldMessages : {}
  return (
    <SettingsCard title={words.settings_password()} about={words.settings_password_about()}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const values = new FormData(form)
          const password = typed(values, 'password')
          const isSame = password === typed(values, 'again')
          setDiffers(!isSame)
          if (isSame) change.mutate({ oldPassword: typed(values, 'oldPassword'), password }, { onSuccess: () => form.reset() })
        }}
      >
        <TextField
          label={words.field_old_password()}
          name="oldPassword"
          type="password"
          autoComplete="current-password"
          required
          error={refused['oldPassword']}
        />
        <TextField
          label={words.field_new_password()}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={LEAST_LENGTH}
          hint={words.password_hint({ length: LEAST_LENGTH })}
          error={refused['password']}
        />
        <TextField
          label={words.field_password_again()}
          name="again"
          type="password"
          autoComplete="new-password"
          required
          error={differs ? words.passwords_differ() : undefined}
        />
        {change.isError && <FormError message={messageOf(change.error)} />}
        <div className="flex items-center gap-3">
          <Button look="primary" type="submit" disabled={change.isPending}>
            {words.change_password()}
          </Button>
          <output className="text-small text-muted">{change.isSuccess && words.password_changed()}</output>
        </div>
      </form>
    </SettingsCard>
  )
}
