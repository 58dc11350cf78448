import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addQuietWindow, fetchQuietWindows, removeQuietWindow, type QuietWindow } from '../../api/notification-settings.ts'
import { systemsQuery } from '../../api/queries.ts'
import { messageOf } from '../../api/request-failed.ts'
import { choices } from '../../format/choices.ts'
import { formatTime, formatWindow } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'
import { quietDraft, readQuietDraft, type QuietDraft } from './quiet-draft.ts'
import { Awaited, SettingsCard } from './settings-card.tsx'

const EVERY_SYSTEM = 'every'

/** When a person is not told; what still fires when it ends is told then. */
export function QuietHoursCard({ userId }: { userId: string }) {
  const query = useQuery({ queryKey: ['quiet-hours'], queryFn: fetchQuietWindows })
  const { data: systems = [] } = useQuery(systemsQuery)
  const remove = useMutation({ mutationFn: removeQuietWindow, onSuccess: () => void query.refetch() })
  const nameOf = (id: string | undefined): string =>
    id === undefined ? words.every_system() : (systems.find((system) => system.id === id)?.name ?? words.system_gone())
  return (
    <SettingsCard title={words.settings_quiet_hours()} about={words.settings_quiet_hours_about()}>
      <Awaited query={query}>
        {(windows) => (
          <ul className="divide-y divide-border">
            {windows.map((window) => (
              <li key={window.id} className="flex min-h-13 items-center gap-3 py-2">
                <div className="min-w-0 flex-1">
                  <p>{timeOf(window)}</p>
                  <p className="truncate text-note text-muted">{nameOf(window.systemId)}</p>
                </div>
                <Button
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(window.id)}
                  aria-label={words.remove_quiet({ time: timeOf(window) })}
                >
                  {words.remove_address()}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Awaited>
      {remove.isError && <FormError message={messageOf(remove.error)} />}
      <AddQuietHours userId={userId} systems={systems} onAdded={() => void query.refetch()} />
    </SettingsCard>
  )
}

const timeOf = ({ type, startMs, endMs }: QuietWindow): string =>
  type === 'daily'
    ? words.quiet_daily({ start: formatTime(startMs, 'time'), end: formatTime(endMs, 'time') })
    : formatWindow(startMs, endMs)

type AddProps = { userId: string; systems: readonly { readonly id: string; readonly name: string }[]; onAdded: () => void }

function AddQuietHours({ userId, systems, onAdded }: AddProps) {
  const { timeZone } = choices()
  const [draft, setDraft] = useState<QuietDraft>(() => quietDraft(Date.now(), timeZone))
  const [isWrong, setWrong] = useState(false)
  const add = useMutation({
    mutationFn: (window: Omit<QuietWindow, 'id'>) => addQuietWindow(userId, window, timeZone),
    onSuccess: onAdded,
  })
  const isDaily = draft.type === 'daily'
  const field = (end: 'start' | 'end', label: string, error?: string) => (
    <TextField
      key={`${draft.type} ${end}`}
      label={label}
      type={isDaily ? 'time' : 'datetime-local'}
      required
      value={draft[draft.type][end]}
      error={error}
      className="flex-1 basis-40"
      onChange={({ target: { value } }) => setDraft({ ...draft, [draft.type]: { ...draft[draft.type], [end]: value } })}
    />
  )
  return (
    <form
      noValidate
      className="mt-1 flex flex-col gap-2 border-t border-border pt-2"
      onSubmit={(event) => {
        event.preventDefault()
        const read = readQuietDraft(draft, Date.now(), timeZone)
        setWrong('problem' in read)
        if ('window' in read) add.mutate(read.window)
      }}
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
        {field('end', words.window_to(), isWrong ? words.quiet_end_wrong() : undefined)}
      </div>
      {add.isError && <FormError message={messageOf(add.error)} />}
      <Button type="submit" disabled={add.isPending} className="self-start">
        {words.add_quiet_hours()}
      </Button>
    </form>
  )
}
