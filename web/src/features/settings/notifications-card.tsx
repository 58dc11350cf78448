import { useMutation, useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../../api/account.ts'
import { readNotifications, tryAddress, type NotificationAddresses } from '../../api/notification-settings.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { PushChoice } from './push-choice.tsx'
import { ReminderChoice } from './reminder-choice.tsx'
import { Awaited } from '../../ui/awaited.tsx'
import { Card } from '../../ui/card.tsx'
import { languages } from '../../preferences/language.ts'
import { useChangeSettings } from '../../preferences/use-change-settings.ts'

const notificationsQuery = { ...settingsQuery, select: readNotifications }

type Place = keyof NotificationAddresses

/**
 * React component: settings card for where the user's notifications are sent (email addresses, webhook URLs, push in this browser), and for
 * reminders and language.
 */
export function NotificationsCard() {
  const query = useQuery(notificationsQuery)
  const change = useChangeSettings()
  const add = (place: Place, address: string) => change.mutate({ add: { [place]: [address] } })
  const remove = (place: Place, address: string) => change.mutate({ remove: { [place]: [address] } })
  return (
    <Card id="notifications" title={words.settings_notifications()} description={words.settings_notifications_about()}>
      <Awaited query={query} placeholder="h-24">
        {({ emails, webhooks, remindMinutes, language }) => (
          <div className="flex flex-col gap-4">
            <Addresses
              label={words.notify_by_mail()}
              hint={words.notify_by_mail_about()}
              type="email"
              addresses={emails}
              isBusy={change.isPending}
              onAdd={(address) => add('emails', address)}
              onRemove={(address) => remove('emails', address)}
            />
            <Addresses
              label={words.notify_by_url()}
              hint={words.notify_by_url_about()}
              type="url"
              addresses={webhooks}
              isBusy={change.isPending}
              onAdd={(address) => add('webhooks', address)}
              onRemove={(address) => remove('webhooks', address)}
            />
            <PushChoice
              addresses={webhooks}
              isBusy={change.isPending}
              onAdd={(address) => add('webhooks', address)}
              onRemove={(address) => remove('webhooks', address)}
            />
            <Select
              label={words.notify_language()}
              hint={words.notify_language_about()}
              choices={languages.map(({ id, name }) => ({ value: id, label: name }))}
              value={language}
              onChange={(chosen) => change.mutate({ merge: { language: chosen } })}
            />
            <ReminderChoice
              minutes={remindMinutes}
              onChange={(minutes) => change.mutate({ merge: { remindMinutes: minutes === 0 ? null : minutes } })}
            />
          </div>
        )}
      </Awaited>
      {change.isError && <FormError message={messageOf(change.error)} />}
    </Card>
  )
}

type AddressesProps = {
  label: string
  hint: string
  type: 'email' | 'url'
  addresses: readonly string[]
  isBusy: boolean
  onAdd: (address: string) => void
  onRemove: (address: string) => void
}

function Addresses({ label, hint, type, addresses, isBusy, onAdd, onRemove }: AddressesProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <Form
        className="flex items-start gap-2"
        onSubmit={(textOf, form) => {
          onAdd(textOf('address'))
          form.reset()
        }}
      >
        <TextField
          label={label}
          name="address"
          type={type}
          hint={hint}
          required
          className="flex-1"
          autoComplete={type === 'email' ? 'email' : 'off'}
        />
        <Button type="submit" disabled={isBusy} className="mt-6 h-9">
          {words.add_address()}
        </Button>
      </Form>
      <ul className="divide-y divide-border">
        {addresses.map((address) => (
          <Address key={address} address={address} canTry={type === 'url'} isBusy={isBusy} onRemove={() => onRemove(address)} />
        ))}
      </ul>
    </div>
  )
}

/**
 * React component: list item of a notification address (email address or webhook URL) with a button that calls `onRemove`. With `canTry`,
 * for a URL, another button sends a test message. `isBusy` disables the removal.
 */
function Address({ address, canTry, isBusy, onRemove }: { address: string; canTry: boolean; isBusy: boolean; onRemove: () => void }) {
  const trial = useMutation({ mutationFn: tryAddress })
  const problem = trial.isError ? messageOf(trial.error) : trial.data
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1.5">
      <span className="min-w-0 flex-1 truncate" data-tooltip={address}>
        {address}
      </span>
      {canTry && (
        <Button disabled={trial.isPending} onClick={() => trial.mutate(address)} aria-label={words.try_address_of({ address })}>
          {words.try_address()}
        </Button>
      )}
      <Button disabled={isBusy} onClick={onRemove} aria-label={words.remove_address_of({ address })}>
        {words.remove_address()}
      </Button>
      <output className="block basis-full text-small wrap-anywhere empty:hidden">
        {trial.isPending && <span className="text-muted">{words.trying_address()}</span>}
        {trial.isSuccess && problem === undefined && <span className="text-ok">{words.address_works()}</span>}
        {problem !== undefined && <span className="text-crit">{problem}</span>}
      </output>
    </li>
  )
}
