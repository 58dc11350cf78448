import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getJson } from '../../api/client.ts'
import { listOf, numberOf, recordOf, textOf, timeOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { Awaited } from '../../features/settings/settings-card.tsx'
import { formatTime, withYears } from '../../format/time.ts'
import { numberField, textField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { cellText } from '../records/cell-text.ts'

const ROWS = 50
const targets = ['users', 'systems', 'fingerprints', 'universal_tokens', 'backups', 'settings', 'sign-in', 'retention'] as const

const fields = { actor: textField(100), target: textField(100), page: numberField(1, 1) }

/** Who changed what and when, the newest first. */
export function AuditPage() {
  usePageTitle(`${words.office_audit()} / Vedette`)
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
      <div className="flex min-h-13 flex-wrap items-center gap-3">
        <h1 className="mr-auto text-title font-semibold tracking-tight">{words.office_audit()}</h1>
        <label className="flex items-center gap-2 text-note">
          {words.office_audit_target()}
          <select
            value={target}
            onChange={(event) => change({ target: event.target.value })}
            className="h-8 rounded-control border border-control-border bg-surface px-2"
          >
            <option value="">{words.office_audit_everything()}</option>
            {targets.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        {actor !== '' && <Button onClick={() => change({ actor: '' })}>{words.office_audit_all_people()}</Button>}
      </div>
      <Awaited placeholder="h-24" query={audit}>
        {(found) => {
          const items = listOf(found['items']).map(recordOf)
          if (items.length === 0) return <Notice title={words.office_audit_none()} detail={words.office_audit_about()} />
          return (
            <>
              <ol className="divide-y divide-border rounded-card border border-border bg-surface shadow-card">
                {items.map((entry) => (
                  <AuditEntry key={textOf(entry['id'])} entry={entry} onActor={(id) => change({ actor: id })} />
                ))}
              </ol>
              <div className="flex items-center justify-end gap-2 text-note text-muted">
                <Button disabled={page <= 1} onClick={() => change({ page: page - 1 })}>
                  {words.office_previous()}
                </Button>
                {words.office_page_of({ page, pages: numberOf(found['totalPages']) ?? 1 })}
                <Button disabled={page >= (numberOf(found['totalPages']) ?? 1)} onClick={() => change({ page: page + 1 })}>
                  {words.office_next()}
                </Button>
              </div>
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
