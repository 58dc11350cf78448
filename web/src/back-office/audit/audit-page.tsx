import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getJson } from '../../api/client.ts'
import { listOf, numberOf, recordOf, textOf, timeOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { formatTime, withYears } from '../../format/time.ts'
import { numberField, textField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import * as words from '../../words/messages.js'
import { Pager } from '../pager.tsx'
import { cellText } from '../records/cell-text.ts'

const ROWS = 50
const targets = ['users', 'systems', 'fingerprints', 'universal_tokens', 'api_keys', 'backups', 'settings', 'sign-in', 'retention'] as const

const fields = { actor: textField(100), target: textField(100), page: numberField(1, 1) }

/** React component: admin page with the audit log: changes that admins made, with author, time, and old and new values, newest first. */
export function AuditPage() {
  usePageTitle(words.office_audit())
  const { values, change: changeValues } = useSearchValues(fields)
  const { actor, target, page } = values
  const search = new URLSearchParams({ page: String(page), perPage: String(ROWS), actor, target }).toString()
  const audit = useQuery({
    queryKey: officeKeys.audit(search),
    queryFn: async ({ signal }) => recordOf(await getJson(`/api/vedette/audit?${search}`, signal)),
    placeholderData: keepPreviousData,
  })
  const change = (part: Partial<typeof values>) => changeValues({ page: 1, ...part })
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={words.office_audit()}>
        <SelectField
          label={words.office_audit_target()}
          className="w-48"
          isLabelHidden
          choices={[{ value: '', label: words.office_audit_everything() }, ...targets.map((one) => ({ value: one, label: one }))]}
          value={target}
          onChange={(next) => change({ target: next })}
        />
        {actor !== '' && <Button onClick={() => change({ actor: '' })}>{words.office_audit_all_people()}</Button>}
      </PageHeader>
      <Awaited placeholder="h-24" query={audit}>
        {(found) => {
          const items = listOf(found['items']).map(recordOf)
          if (items.length === 0) return <EmptyState title={words.office_audit_none()} detail={words.office_audit_about()} />
          return (
            <>
              <ol className="card divide-y divide-border">
                {items.map((entry) => (
                  <AuditEntry key={textOf(entry['id'])} entry={entry} onActor={(id) => change({ actor: id })} />
                ))}
              </ol>
              <Pager page={page} pages={numberOf(found['totalPages'])} onPage={(next) => change({ page: next })} />
            </>
          )
        }}
      </Awaited>
    </div>
  )
}

function AuditEntry({ entry, onActor }: { entry: JsonRecord; onActor: (id: string) => void }) {
  const formats = useFormats()
  const at = timeOf(entry['at'])
  const actor = textOf(entry['actor'])
  const name = textOf(entry['actorName']) ?? words.office_audit_hub()
  const about = [textOf(entry['action']), textOf(entry['target']), textOf(entry['targetName']) ?? textOf(entry['targetId'])]
  const changes = Object.entries(recordOf(entry['changes']))
  return (
    <li className="px-4 py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium wrap-anywhere">{about.filter((part) => part !== undefined).join(' · ')}</span>
        {actor === undefined ? (
          <span className="text-note text-muted">{name}</span>
        ) : (
          <button type="button" onClick={() => onActor(actor)} className="min-h-6 text-note text-accent hover:underline">
            {name}
          </button>
        )}
        <time className="ml-auto text-note text-muted tabular-nums">
          {at === undefined ? '–' : formatTime(at, 'dayAndTime', withYears(formats))}
        </time>
      </p>
      {changes.length > 0 && (
        <ul className="mt-1 text-note text-muted">
          {changes.map(([field, change]) => {
            const [before, after] = listOf(change)
            return (
              <li key={field} className="wrap-anywhere">
                {field}:{' '}
                {cellText(before) !== '' && (
                  <>
                    <del>{cellText(before)}</del> →{' '}
                  </>
                )}
                <ins className="no-underline">{cellText(after) || '–'}</ins>
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
}
