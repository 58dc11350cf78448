import { useQuery } from '@tanstack/react-query'
import { textOf } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { Sheet } from '../../ui/sheet.tsx'
import * as words from '../../words/messages.js'
import { cellText } from '../records/cell-text.ts'
import type { LogValues } from './log-parts.ts'
import { lookOf } from './log-looks.ts'
import { fetchLog, type LogItem } from './logs.ts'

type LogSheetProps = {
  id: string
  /** Log entry that the sheet shows, if the log page has loaded it already. With `undefined`, the sheet fetches the entry by `id`. */
  known: LogItem | undefined
  people: ReadonlyMap<string, string>
  onClose: () => void
  onNarrow: (part: Pick<LogValues, 'user'> | Pick<LogValues, 'address'>) => void
}

/**
 * React component: sheet with all details of the hub's log entry with this `id`. Buttons call `onNarrow` with a filter by the entry's user
 * or address. `people` maps user ids to email addresses.
 */
export function LogSheet({ id, known, people, onClose, onNarrow }: LogSheetProps) {
  const query = useQuery({
    queryKey: officeKeys.logEntry(id),
    queryFn: ({ signal }) => fetchLog(id, signal),
    ...(known === undefined ? {} : { initialData: known }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Sheet title={words.office_log_entry()} description={id} onClose={onClose}>
      <Awaited query={query} placeholder="h-96">
        {(item) => <Details item={item} people={people} onNarrow={onNarrow} />}
      </Awaited>
    </Sheet>
  )
}

function Details({ item, people, onNarrow }: { item: LogItem } & Pick<LogSheetProps, 'people' | 'onNarrow'>) {
  const formats = useFormats()
  const { created, atMs, level, message, data } = item
  const [account, address] = [textOf(data['authId']), textOf(data['userIP'])]
  const all: readonly (readonly [string, string])[] = [
    [words.office_log_time(), atMs === undefined ? created : `${formatTime(atMs, 'exact', formats)} (${created})`],
    [words.office_log_level(), lookOf(level).name()],
    ...(account === undefined ? [] : [[words.office_log_user(), people.get(account) ?? account] as const]),
    ...Object.entries(data).flatMap(([name, value]) => (cellText(value) === '' ? [] : [[name, cellText(value)] as const])),
  ]
  const text = JSON.stringify({ id: item.id, created, level, message, data }, undefined, 2)
  return (
    <>
      <p className="font-mono font-medium wrap-anywhere">{message}</p>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-note">
        {all.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted wrap-anywhere">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        {account !== undefined && <Button onClick={() => onNarrow({ user: account })}>{words.office_log_same_user()}</Button>}
        {address !== undefined && <Button onClick={() => onNarrow({ address })}>{words.office_log_same_address()}</Button>}
        <Button onClick={() => void copyText(text, { copied: words.copied(), askManually: words.copy_manually() })}>JSON</Button>
      </div>
    </>
  )
}
