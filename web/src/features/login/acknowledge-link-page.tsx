import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { acknowledgedWords, LONGEST_NOTE, snoozeChoices, snoozeMinutesOf, type SnoozeDelay } from '../../api/acknowledgement-words.ts'
import { alertLabel } from '../../api/alert-kinds.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { acknowledgeLinked, linkedAlertQuery, type LinkedAlert } from '../../api/linked-alert.ts'
import { messageOf, RequestFailed } from '../../api/request-failed.ts'
import { formatTime, formatWindow, withYears } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { EntryNote, ToDashboard } from './entry-note.tsx'

/**
 * Maximum length in characters, 100, of the name that a person types on the acknowledge page. The field accepts no more, and the hub
 * refuses a longer one.
 */
const LONGEST_NAME = 100

function onHashChange(notify: () => void): () => void {
  addEventListener('hashchange', notify)
  return () => removeEventListener('hashchange', notify)
}

/**
 * React component: page that the acknowledge link in a message about an alert opens, without signing in. It shows the alert and a form to
 * acknowledge or snooze it; opening it changes nothing. The secret token is in the URL's fragment, which browsers do not send.
 */
export function AcknowledgeLinkPage() {
  const token = useSyncExternalStore(onHashChange, () => location.hash.slice(1))
  usePageTitle(words.acknowledge_link_title())
  return <LinkedAlertCard key={token} token={token} />
}

function LinkedAlertCard({ token }: { token: string }) {
  const query = useQuery(linkedAlertQuery(token))
  const { data: alert, error } = query
  const isInvalid = error instanceof RequestFailed && (error.status === 404 || error.status === 400)
  const about =
    alert === undefined || isInvalid ? '' : words.alert_of_system({ alert: alertLabel(alert.name, alert.target), name: alert.systemName })
  return (
    <EntryCard title={words.acknowledge_link_title()} description={about}>
      {isInvalid ? (
        <FormError message={words.acknowledge_link_invalid()} />
      ) : (
        <Awaited query={query} placeholder="h-64">
          {(found) => <LinkedAlertState token={token} alert={found} />}
        </Awaited>
      )}
      <ToDashboard />
    </EntryCard>
  )
}

function LinkedAlertState({ token, alert }: { token: string; alert: LinkedAlert }) {
  const { beganMs, endedMs, acknowledgement } = alert
  const formats = useFormats()
  const [isDone, setDone] = useState(false)
  const isOver = endedMs !== undefined
  return (
    <>
      <p className="text-center text-note text-muted tabular-nums">
        {isOver
          ? formatWindow(beganMs, endedMs, withYears(formats))
          : words.firing_since({ time: formatTime(beganMs, 'dayAndTime', withYears(formats)) })}
      </p>
      {isOver && <EntryNote>{words.acknowledge_link_over()}</EntryNote>}
      {acknowledgement !== undefined && <EntryNote>{acknowledgedWords(acknowledgement, formats)}</EntryNote>}
      {!isOver && !isDone && <LinkedAlertForm token={token} onDone={() => setDone(true)} />}
    </>
  )
}

function LinkedAlertForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [delay, setDelay] = useState<SnoozeDelay>('never')
  const saving = useMutation({
    mutationFn: (typed: { name: string; note: string }) => acknowledgeLinked(token, { ...typed, snoozeMinutes: snoozeMinutesOf(delay) }),
    onSuccess: onDone,
  })
  return (
    <Form
      className="flex flex-col gap-3.5"
      refused={fieldMessagesOf(saving.error)}
      onSubmit={(textOf) => saving.mutate({ name: textOf('name'), note: textOf('note') })}
    >
      <TextField label={words.acknowledge_link_name()} name="name" maxLength={LONGEST_NAME} autoComplete="name" required />
      <TextField label={words.acknowledge_note()} name="note" maxLength={LONGEST_NOTE} autoComplete="off" />
      <SelectField label={words.acknowledge_remind()} name="snoozeMinutes" choices={snoozeChoices()} value={delay} onChange={setDelay} />
      <p className="text-note text-muted">{words.acknowledge_link_about()}</p>
      {saving.isError && <FormError message={messageOf(saving.error)} />}
      <Button look="primary" type="submit" disabled={saving.isPending} className="h-9 justify-center">
        {words.acknowledge()}
      </Button>
    </Form>
  )
}
