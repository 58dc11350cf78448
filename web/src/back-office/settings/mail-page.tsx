import { useMutation } from '@tanstack/react-query'
import { sendRequest, signedInUser } from '../../api/client.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Card } from '../../ui/card.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import type { FormField } from '../forms/form-field.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { useStoredSettings } from '../forms/use-stored-settings.ts'
import { LimitsCard, ProxiesCard } from './limits-cards.tsx'
import { RetentionCard } from './retention-card.tsx'

/** React component: settings page with name and URL of the hub, mail server, retention of the history, rate limits and proxies. */
export function MailPage() {
  usePageTitle(words.office_mail())
  const { query: settings, save } = useStoredSettings('/api/settings')
  return (
    <div className="flex max-w-2xl flex-col gap-3.5">
      <PageHeader title={words.office_mail()} />
      <Card title={words.office_application()} description={words.office_application_about()}>
        <Awaited placeholder="h-24" query={settings}>
          {(stored) => <SettingsForm fields={applicationFields()} stored={stored} save={save} />}
        </Awaited>
      </Card>
      <Card title={words.office_smtp()} description={words.office_smtp_about()}>
        <Awaited placeholder="h-24" query={settings}>
          {(stored) => <SettingsForm fields={smtpFields()} stored={stored} save={save} />}
        </Awaited>
      </Card>
      <TestCard />
      <RetentionCard />
      {settings.data !== undefined && <LimitsCard stored={settings.data} save={save} />}
      {settings.data !== undefined && <ProxiesCard stored={settings.data} save={save} />}
    </div>
  )
}

const applicationFields = (): readonly FormField[] => [
  { path: 'meta.appName', label: words.office_app_name(), type: 'text' },
  { path: 'meta.appURL', label: words.office_app_url(), type: 'text', hint: words.office_app_url_hint() },
  { path: 'meta.senderName', label: words.office_sender_name(), type: 'text' },
  { path: 'meta.senderAddress', label: words.office_sender_address(), type: 'text' },
]

const same = (value: string) => ({ value, label: value })

const smtpFields = (): readonly FormField[] => [
  { path: 'smtp.enabled', label: words.office_smtp_enabled(), type: 'flag', hint: words.office_smtp_enabled_hint() },
  { path: 'smtp.host', label: words.office_smtp_host(), type: 'text' },
  { path: 'smtp.port', label: words.office_smtp_port(), type: 'number' },
  {
    path: 'smtp.encryption',
    label: words.office_smtp_encryption(),
    type: 'choice',
    choices: [
      { value: 'auto', label: words.office_encryption_auto() },
      { value: 'starttls', label: 'STARTTLS' },
      { value: 'tls', label: 'TLS' },
    ],
  },
  { path: 'smtp.username', label: words.office_smtp_username(), type: 'text', hint: words.office_smtp_username_hint() },
  { path: 'smtp.password', label: words.field_password(), type: 'secret', hint: words.office_secret_hint() },
  {
    path: 'smtp.authMethod',
    label: words.office_smtp_method(),
    type: 'choice',
    choices: [{ value: '', label: words.office_method_any() }, same('PLAIN'), same('LOGIN'), same('CRAM-MD5')],
  },
  { path: 'smtp.localName', label: words.office_smtp_local(), type: 'text', hint: words.office_smtp_local_hint() },
]

/** React component: card of the back-office that sends a test email and shows the mail server's error message if it fails. */
function TestCard() {
  const send = useMutation({
    mutationFn: (email: string) => sendRequest('POST', '/api/settings/test/email', { email, template: 'verification' }),
  })
  return (
    <Card title={words.office_test_mail()} description={words.office_test_mail_about()}>
      <Form onSubmit={(textOf) => send.mutate(textOf('email'))}>
        <TextField label={words.field_email()} name="email" type="email" required defaultValue={signedInUser()?.email} />
        {send.isError && <FormError message={messageOf(send.error)} />}
        {send.isSuccess && <output className="text-note text-ok">{words.office_test_mail_sent()}</output>}
        <Button type="submit" className="self-start" disabled={send.isPending}>
          {send.isPending ? words.office_sending() : words.office_test_mail_send()}
        </Button>
      </Form>
    </Card>
  )
}
