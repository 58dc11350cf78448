import { useMutation } from '@tanstack/react-query'
import { signIn } from '../../api/client.ts'
import { createFirstAdmin, firstRunQuery } from '../../api/hub.ts'
import { queryClient } from '../../api/server-query.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'

type Account = { readonly email: string; readonly password: string; readonly setupCode?: string }

export function FirstAdminForm({ needsSetupCode }: { needsSetupCode: boolean }) {
  const creation = useMutation({
    mutationFn: async (account: Account) => {
      await createFirstAdmin(account)
      queryClient.setQueryData(firstRunQuery.queryKey, { isFirstRun: false, needsSetupCode: false })
      await signIn(account.email, account.password)
    },
  })
  return (
    <EntryCard title={words.first_run_title()} description={words.first_run_description()}>
      <Form
        className="flex flex-col gap-3.5"
        refused={fieldMessagesOf(creation.error)}
        onSubmit={(textOf) => {
          const account = { email: textOf('email'), password: textOf('password') }
          creation.mutate(needsSetupCode ? { ...account, setupCode: textOf('setupCode') } : account)
        }}
      >
        <TextField label={words.field_email()} name="email" type="email" autoComplete="username" required />
        <NewPasswordField label={words.field_password()} />
        {needsSetupCode && (
          <TextField label={words.field_setup_code()} name="setupCode" autoComplete="off" required hint={words.setup_code_hint()} />
        )}
        {creation.isError && <FormError message={messageOf(creation.error)} />}
        <Button look="primary" type="submit" disabled={creation.isPending} className="h-9 justify-center">
          {words.create_admin()}
        </Button>
      </Form>
    </EntryCard>
  )
}
