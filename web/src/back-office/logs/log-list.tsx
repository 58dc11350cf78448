import { numberOf, textOf } from '../../api/json.ts'
import { cn } from '../../ui/cn.ts'
import { formatTime } from '../../format/time.ts'
import { withUnit } from '../../format/bytes.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import * as words from '../../words/messages.js'
import { lookOf } from './log-looks.ts'
import type { LogItem } from './logs.ts'

type LogListProps = {
  items: readonly LogItem[]
  /** Map from user id to email address. The log list shows the address in place of the id. */
  people: ReadonlyMap<string, string>
  onOpen: (id: string) => void
}

/** React component: list of entries of the hub's log, newest first. A press on an entry calls `onOpen` with its id. */
export const LogList = ({ items, people, onOpen }: LogListProps) => (
  <ol aria-label={words.admin_logs()} className="card divide-y divide-border">
    {items.map((item) => (
      <li key={item.id}>
        <LogRow item={item} people={people} onOpen={onOpen} />
      </li>
    ))}
  </ol>
)

function LogRow({ item: { id, atMs, level, message, data }, people, onOpen }: { item: LogItem } & Omit<LogListProps, 'items'>) {
  const formats = useFormats()
  const look = lookOf(level)
  const [status, took, account] = [numberOf(data['status']), numberOf(data['execTime']), textOf(data['authId'])]
  const who = account === undefined ? textOf(data['area']) : (people.get(account) ?? account)
  return (
    <button
      type="button"
      onClick={() => onOpen(id)}
      className="flex min-h-9 w-full flex-wrap items-baseline gap-x-3 px-3 py-1.5 text-left text-note -outline-offset-2 hover:bg-hover"
    >
      <time className="w-38 shrink-0 text-muted tabular-nums">{atMs === undefined ? '–' : formatTime(atMs, 'exact', formats)}</time>
      <span className={cn('w-16 shrink-0', look.text)}>{look.name()}</span>
      <span className={cn('w-8 shrink-0 tabular-nums', status !== undefined && status >= 400 && look.text)}>{status ?? ''}</span>
      <span className="min-w-40 flex-1 font-mono wrap-anywhere max-lg:order-last max-lg:basis-full">
        {textOf(data['url']) === undefined ? message : requestText(data)}
      </span>
      <span className="max-w-56 truncate text-muted max-lg:ml-auto">{who}</span>
      <span className="w-20 shrink-0 text-right text-muted tabular-nums max-sm:hidden">
        {took === undefined ? '' : withUnit(took, 'ms', formats)}
      </span>
    </button>
  )
}

const requestText = (data: LogItem['data']): string => `${textOf(data['method']) ?? ''} ${textOf(data['url']) ?? ''}`
