import { useQuery } from '@tanstack/react-query'
import { findingsQuery, type Finding } from '../../../api/inventory.ts'
import { formatAmount } from '../../../format/bytes.ts'
import { useFormats } from '../../../preferences/use-preferences.ts'
import { Awaited } from '../../../ui/awaited.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import * as words from '../../../words/messages.js'

const stateNames: Readonly<Record<Finding['state'], () => string>> = {
  works: words.doctor_works,
  absent: words.doctor_absent,
  failing: words.doctor_failing,
}

const stateColours: Readonly<Record<Finding['state'], string>> = {
  works: 'text-ok',
  absent: 'text-muted',
  failing: 'font-medium text-crit',
}

/**
 * React component: dialog with the diagnostics of a system's agent, which it fetches. For each collector (reader of one kind of metric) it
 * has readings, skipped items with the reason, missing permissions and duration.
 */
export function DoctorDialog({ systemId, name, onClose }: { systemId: string; name: string; onClose: () => void }) {
  const query = useQuery(findingsQuery(systemId))
  return (
    <Dialog title={words.doctor_title({ name })} description={words.doctor_about()} isWide onClose={onClose}>
      <Awaited query={query} skeleton={<Spinner label={words.loading()} />}>
        {(findings) => (
          <ul className="flex flex-col divide-y divide-border">
            {findings.map((finding) => (
              <Collector key={finding.name} finding={finding} />
            ))}
          </ul>
        )}
      </Awaited>
    </Dialog>
  )
}

function Collector({ finding: { name, state, found, skipped, error, remedy, costMs } }: { finding: Finding }) {
  const formats = useFormats()
  return (
    <li className="flex flex-col gap-1 py-2.5 text-note">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <b className="font-medium">{name}</b>
        <span className={stateColours[state]}>{stateNames[state]()}</span>
        {costMs !== undefined && <span className="text-small text-faint">{formatAmount(costMs, formats)} ms</span>}
      </p>
      {found !== undefined && <p className="text-muted wrap-anywhere">{found}</p>}
      {error !== undefined && <p className="text-crit wrap-anywhere">{error}</p>}
      {skipped.map(({ what, why }) => (
        <p key={what} className="text-muted wrap-anywhere">
          {words.doctor_skipped({ what, why })}
        </p>
      ))}
      {remedy !== undefined && <p className="rounded-control bg-sunken px-2 py-1 font-mono text-small wrap-anywhere">{remedy}</p>}
    </li>
  )
}
