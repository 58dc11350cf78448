import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import { logFields, type LogParts } from './log-parts.ts'

type LogFiltersProps = {
  parts: LogParts
  people: ReadonlyMap<string, string>
  onChange: (part: Partial<LogParts>) => void
}

const fieldLook = 'h-9 min-w-0 rounded-control border border-control-border bg-surface px-2.5 text-note'

/** What narrows the log: choices take effect at once, texts when they are sent. */
export function LogFilters({ parts, people, onChange }: LogFiltersProps) {
  const { level, kind, status, user, address, text, filter } = parts
  const known = user === '' || people.has(user) ? [...people] : [[user, user] as const, ...people]
  return (
    <search>
      <form
        // What another address says stands in the fields then.
        key={[address, text, filter].join('\n')}
        className="grid grid-cols-2 gap-2 sm:grid-cols-4 xl:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget)
          const of = (name: string): string => {
            const value = typed.get(name)
            return typeof value === 'string' ? value.trim() : ''
          }
          onChange({ address: of('address'), text: of('text'), filter: of('filter') })
        }}
      >
        <Choice label={words.office_log_level()} value={level} onChange={(value) => onChange({ level: logFields.level.read(value) ?? '' })}>
          <option value="">{words.office_log_any_level()}</option>
          <option value="warn">{words.office_log_warn_up()}</option>
          <option value="error">{words.office_log_errors()}</option>
        </Choice>
        <Choice label={words.office_log_kind()} value={kind} onChange={(value) => onChange({ kind: logFields.kind.read(value) ?? '' })}>
          <option value="">{words.office_log_any_kind()}</option>
          <option value="request">{words.office_log_requests()}</option>
          <option value="hub">{words.office_log_events()}</option>
        </Choice>
        <Choice label={words.office_log_status()} value={status} onChange={(value) => onChange({ status: value })}>
          <option value="">{words.office_log_any_status()}</option>
          {[...new Set([...statuses, ...(status === '' ? [] : [status])])].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Choice>
        <Choice label={words.office_log_user()} value={user} onChange={(value) => onChange({ user: value })}>
          <option value="">{words.office_log_any_user()}</option>
          {known.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
        <Typed name="address" label={words.office_log_address()} value={address} />
        <Typed name="text" label={words.office_log_text()} value={text} />
        <Button type="submit" className="h-9 justify-center max-xl:order-last max-sm:col-span-2">
          {words.office_apply()}
        </Button>
        <Typed name="filter" label={words.office_filter()} value={filter} isCode />
      </form>
    </search>
  )
}

const statuses = ['2xx', '3xx', '4xx', '5xx', '400', '401', '403', '404', '429', '500', '503']

type ChoiceProps = { label: string; value: string; onChange: (value: string) => void; children: ReactNode }

const Choice = ({ label, value, onChange, children }: ChoiceProps) => (
  <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)} className={fieldLook}>
    {children}
  </select>
)

type TypedProps = { name: string; label: string; value: string; isCode?: boolean }

const Typed = ({ name, label, value, isCode = false }: TypedProps) => (
  <input
    name={name}
    type="search"
    defaultValue={value}
    aria-label={label}
    placeholder={isCode ? 'data.execTime > 100 && data.method = "GET"' : label}
    spellCheck={false}
    autoComplete="off"
    className={cn(fieldLook, isCode && 'col-span-full font-mono')}
  />
)
