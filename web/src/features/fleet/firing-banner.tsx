import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { alertLabel } from '../../api/alert-kinds.ts'
import { firingQuery } from '../../api/incidents.ts'
import { paths } from '../../paths.ts'
import * as words from '../../words/messages.js'

/** Maximum number of firing alerts that the banner above the list of systems names, 3. The number of further ones is shown instead. */
const MOST_NAMED = 3

/**
 * React component: banner above the list of systems with the number of firing alerts (at most 500) and the names of up to 3. It links to
 * the alerts page and is empty while none fires.
 */
export function FiringBanner() {
  const { data = [] } = useQuery(firingQuery)
  const named = data
    .slice(0, MOST_NAMED)
    .map(({ name, target, systemName }) => words.alert_of_system({ alert: alertLabel(name, target), name: systemName }))
  const more = data.length - named.length
  return (
    <output className="block">
      {data.length > 0 && (
        <Link
          href={paths.alerts}
          className="mb-3 flex flex-wrap items-baseline gap-x-2 rounded-card border border-crit-fill bg-crit-soft px-4 py-2.5 hover:underline"
        >
          <b className="font-semibold">{words.firing_count({ count: data.length })}</b>
          <span className="min-w-0 wrap-anywhere">{[...named, ...(more > 0 ? [words.show_more({ count: more })] : [])].join(' · ')}</span>
        </Link>
      )}
    </output>
  )
}
