import { useMutation, useQuery } from '@tanstack/react-query'
import { changeProfile, profileQuery, type Profile } from '../../api/account.ts'
import type { SignedInUser } from '../../api/client.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { EmailForm } from './email-form.tsx'
import { settingsScope } from '../../preferences/settings-scope.ts'
import { Card } from '../../ui/card.tsx'

/** React component: settings card with forms for email address and display name. */
export function ProfileCard({ user }: { user: SignedInUser }) {
  const query = useQuery(profileQuery(user.id))
  return (
    <Card id="profile" title={words.settings_profile()} description={words.settings_profile_about()}>
      <EmailForm user={user} />
      <Awaited query={query} placeholder="h-26">
        {(profile) => <ProfileForm profile={profile} />}
      </Awaited>
    </Card>
  )
}

function ProfileForm({ profile }: { profile: Profile }) {
  const change = useMutation({ mutationFn: changeProfile, scope: settingsScope })
  return (
    <Form refused={fieldMessagesOf(change.error)} onSubmit={(textOf) => change.mutate({ name: textOf('name') })}>
      <TextField label={words.field_person_name()} name="name" autoComplete="name" maxLength={255} defaultValue={profile.name} />
      {change.isError && <FormError message={messageOf(change.error)} />}
      <div className="flex items-center gap-3">
        <Button look="primary" type="submit" disabled={change.isPending}>
          {words.save()}
        </Button>
        <output className="text-small text-muted">{change.isSuccess && words.settings_saved()}</output>
      </div>
    </Form>
  )
}
