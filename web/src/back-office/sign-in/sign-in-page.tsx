import { recordOf } from '../../api/json.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Card } from '../../ui/card.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import type { FormField } from '../forms/form-field.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { useStoredSettings } from '../forms/use-stored-settings.ts'
import { ProvidersCard } from './providers-card.tsx'

const PATH = '/api/collections/users'

/** React component: back-office page with the sign-in settings for password, mailed codes, second factor, and providers. */
export function SignInPage() {
  usePageTitle(words.admin_auth_providers())
  const { query: ways, save } = useStoredSettings(PATH)
  return (
    <div className="flex max-w-2xl flex-col gap-3.5">
      <PageHeader title={words.admin_auth_providers()} />
      <Card title={words.office_ways()} description={words.office_ways_about()}>
        <Awaited placeholder="h-24" query={ways}>
          {(stored) => <SettingsForm fields={fields()} stored={stored} save={save} />}
        </Awaited>
      </Card>
      <Card title={words.admin_auth_providers()} description={words.office_providers_about()}>
        <Awaited placeholder="h-24" query={ways}>
          {(stored) => <ProvidersCard oauth2={recordOf(stored['oauth2'])} save={save} />}
        </Awaited>
      </Card>
    </div>
  )
}

const fields = (): readonly FormField[] => [
  { path: 'passwordAuth.enabled', label: words.office_way_password(), type: 'flag' },
  { path: 'otp.enabled', label: words.office_way_code(), type: 'flag', hint: words.office_way_code_hint() },
  { path: 'otp.length', label: words.office_code_length(), type: 'number' },
  { path: 'otp.duration', label: words.office_code_seconds(), type: 'number' },
  { path: 'mfa.enabled', label: words.office_two_ways(), type: 'flag', hint: words.office_two_ways_hint() },
  { path: 'secondFactor.required', label: words.office_factor_required(), type: 'flag', hint: words.office_factor_required_hint() },
  { path: 'authAlert.enabled', label: words.office_sign_in_mail(), type: 'flag' },
]
