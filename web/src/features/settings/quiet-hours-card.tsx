import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addQuietWindow,
  changeQuietZone,
  quietHoursQuery,
  removeQuietWindow,
  type QuietHours,
  type QuietWindow,
} from '../../api/notification-settings.ts'
import { systemsQuery } from '../../api/queries.ts'
import { messageOf } from '../../api/request-failed.ts'
import { clockNow } from '../../format/clock.ts'
import type { Formats } from '../../format/formats.ts'
import { formatWindow } from '../../format/time.ts'
import { formatTimeOfDay } from '../../format/time-of-day.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import * as words from '../../words/messages.js'
import { quietDraft, readQuietDraft, shownEnds, type QuietDraft } from './quiet-draft.ts'
import { settingsScope } from '../../preferences/settings-scope.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Card } from '../../ui/card.tsx'
import { zoneChoices } from './zone-choices.ts'

const EVERY_SYSTEM = 'every'

/**
 * React component: settings card for quiet hours, in which no notifications are sent. For alerts that still fire at the end of quiet hours,
 * notifications are sent then.
 */
export function QuietHoursCard() {
  const client = useQueryClient()
  const formats = useFormats()
  const query = useQuery(quietHoursQuery)
  const { data: systems = [] } = useQuery(systemsQuery)
  const onStored = (stored: QuietHours) => void client.setQueryData(quietHoursQuery.queryKey, stored)
  // The zone may have been changed elsewhere, so the stored one is fetched.
  const onError = () => void query.refetch()
  const remove = useMutation({ mutationFn: removeQuietWindow, scope: settingsScope, onSuccess: () => query.refetch() })
  const move = useMutation({
    mutationFn: (timeZone: string) => changeQuietZone(timeZone, query.data?.timeZone),
    scope: settingsScope,
    onSuccess: onStored,
    onError,
  })
  const nameOf = (id: string | undefined): string =>
    id === undefined ? words.every_system() : (systems.find((system) => system.id === id)?.name ?? words.system_gone())
  return (
    <Card id="quiet-hours" title={words.settings_quiet_hours()} description={words.settings_quiet_hours_about()}>
      <Awaited query={query}>
        {({ timeZone = ownZone(formats), windows }) => (
          <>
            <Select
              label={words.quiet_zone()}
              hint={words.quiet_zone_about()}
              choices={zoneChoices(timeZone)}
              value={timeZone}
              disabled={move.isPending}
              onChange={(next) => move.mutate(next)}
            />
            {move.isError && <FormError message={messageOf(move.error)} />}
            <ul className="divide-y divide-border">
              {windows.map((window) => (
                <li key={window.id} className="flex min-h-13 items-center gap-3 py-2">
                  <div className="min-w-0 flex-1">
                    <p>{timeOf(window, timeZone, formats)}</p>
                    <p className="truncate text-note text-muted">{nameOf(window.systemId)}</p>
                  </div>
                  <Button
                    disabled={remove.isPending}
                    onClick={() => remove.mutate(window.id)}
                    aria-label={words.remove_quiet({ time: timeOf(window, timeZone, formats) })}
                  >
                    {words.remove_address()}
                  </Button>
                </li>
              ))}
            </ul>
            {remove.isError && <FormError message={messageOf(remove.error)} />}
            <AddQuietHours timeZone={timeZone} systems={systems} onStored={onStored} onFailed={onError} />
          </>
        )}
      </Awaited>
    </Card>
  )
}

/**
 * Returns the name of the IANA time zone in the user's settings, else that of the browser. It is suggested while quiet hours have no stored
 * zone.
 */
const ownZone = ({ timeZone }: Formats): string => timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

function timeOf({ type, start, end }: QuietWindow, timeZone: string, formats: Formats): string {
  if (type === 'one-time') return formatWindow(Date.parse(start), Date.parse(end), { ...formats, timeZone })
  return words.quiet_daily({ start: formatTimeOfDay(start, formats), end: formatTimeOfDay(end, formats) })
}

type AddProps = {
  timeZone: string
  systems: readonly { readonly id: string; readonly name: string }[]
  onStored: (stored: QuietHours) => void
  onFailed: () => void
}

function AddQuietHours({ timeZone, systems, onStored, onFailed }: AddProps) {
  const [draft, setDraft] = useState<QuietDraft>(quietDraft)
  const [openedMs] = useState(clockNow)
  const add = useMutation({
    mutationFn: (window: Omit<QuietWindow, 'id'>) => addQuietWindow(timeZone, window),
    scope: settingsScope,
    onSuccess: onStored,
    onError: onFailed,
  })
  const isDaily = draft.type === 'daily'
  const read = readQuietDraft(draft, openedMs, timeZone)
  const field = (end: 'start' | 'end', label: string) => (
    <DateTimeField
      label={label}
      name={end}
      kind={isDaily ? 'time' : 'date and time'}
      required
      value={shownEnds(draft, openedMs, timeZone)[end]}
      className="flex-1 basis-40"
      onChange={(value) => setDraft({ ...draft, [draft.type]: { ...draft[draft.type], [end]: value } })}
    />
  )
  return (
    <Form
      className="mt-1 flex flex-col gap-2 border-t border-border pt-2"
      check={() => ('problem' in read ? { end: words.quiet_end_wrong() } : {})}
      onSubmit={() => 'window' in read && add.mutate(read.window)}
    >
      <Select
        label={words.quiet_type()}
        choices={[
          { value: 'daily', label: words.quiet_type_daily() },
          { value: 'one-time', label: words.quiet_type_once() },
        ]}
        value={draft.type}
        onChange={(type) => setDraft({ ...draft, type })}
      />
      <Select
        label={words.quiet_system()}
        choices={[{ value: EVERY_SYSTEM, label: words.every_system() }, ...systems.map(({ id, name }) => ({ value: id, label: name }))]}
        value={draft.systemId ?? EVERY_SYSTEM}
        onChange={(id) => setDraft({ ...draft, systemId: id === EVERY_SYSTEM ? undefined : id })}
      />
      <div className="flex flex-wrap gap-3">
        {field('start', words.window_from())}
        {field('end', words.window_to())}
      </div>
      {add.isError && <FormError message={messageOf(add.error)} />}
      <Button type="submit" disabled={add.isPending} className="self-start">
        {words.add_quiet_hours()}
      </Button>
    </Form>
  )
}
