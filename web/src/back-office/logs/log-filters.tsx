import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import * as words from '../../words/messages.js'
import { logFields, type LogParts } from './log-parts.ts'

type LogFiltersProps = {
  parts: LogParts
  people: ReadonlyMap<string, string>
  onChange: (part: Partial<LogParts>) => void
}

/**
 * React component: form with the filters of the hub's log. `onChange` gets each changed filter: a selected one at once, a typed text when
 * the form is submitted. `people` maps user ids to email addresses.
 */
export function LogFilters({ parts, people, onChange }: LogFiltersProps) {
  const { level, kind, status, user, address, text, filter } = parts
  const known = user === '' || people.has(user) ? [...people] : [[user, user] as const, ...people]
  return (
    <search>
      <Form
        // A new key for each URL resets the text fields.
        key={[address, text, filter].join('\n')}
        className="grid grid-cols-2 gap-2 sm:grid-cols-4 xl:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
        onSubmit={(textOf) => onChange({ address: textOf('address'), text: textOf('text'), filter: textOf('filter') })}
      >
        <SelectField
          label={words.office_log_level()}
          isLabelHidden
          value={level}
          onChange={(value) => onChange({ level: logFields.level.read(value) ?? '' })}
          choices={[
            { value: '', label: words.office_log_any_level() },
            { value: 'warn', label: words.office_log_warn_up() },
            { value: 'error', label: words.office_log_errors() },
          ]}
        />
        <SelectField
          label={words.office_log_kind()}
          isLabelHidden
          value={kind}
          onChange={(value) => onChange({ kind: logFields.kind.read(value) ?? '' })}
          choices={[
            { value: '', label: words.office_log_any_kind() },
            { value: 'request', label: words.office_log_requests() },
            { value: 'hub', label: words.office_log_events() },
          ]}
        />
        <SelectField
          label={words.office_log_status()}
          isLabelHidden
          value={status}
          onChange={(value) => onChange({ status: value })}
          choices={[
            { value: '', label: words.office_log_any_status() },
            ...[...new Set([...statuses, ...(status === '' ? [] : [status])])].map(same),
          ]}
        />
        <SelectField
          label={words.office_log_user()}
          isLabelHidden
          value={user}
          onChange={(value) => onChange({ user: value })}
          choices={[{ value: '', label: words.office_log_any_user() }, ...known.map(([id, name]) => ({ value: id, label: name }))]}
        />
        <SearchField name="address" label={words.office_log_address()} defaultValue={address} />
        <SearchField name="text" label={words.office_log_text()} defaultValue={text} />
        <Button type="submit" className="h-9 justify-center max-xl:order-last max-sm:col-span-2">
          {words.office_apply()}
        </Button>
        <SearchField
          name="filter"
          label={words.office_filter()}
          placeholder={'data.execTime > 100 && data.method = "GET"'}
          defaultValue={filter}
          className="col-span-full h-9 font-mono"
        />
      </Form>
    </search>
  )
}

const statuses = ['2xx', '3xx', '4xx', '5xx', '400', '401', '403', '404', '429', '500', '503']

const same = (value: string) => ({ value, label: value })
