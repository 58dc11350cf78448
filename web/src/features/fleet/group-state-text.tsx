import * as words from '../../words/messages.js'
import type { GroupState } from './fleet-groups.ts'
import { HealthSummary } from './health-summary.tsx'

/**
 * React component: text in the heading of a group of systems with the numbers in `state`: systems in each health state (problems first),
 * and firing alerts.
 */
export const GroupStateText = ({ state: { counts, firing, isFiringPart } }: { state: GroupState }) => (
  <span className="flex min-w-0 items-center gap-x-3.5 overflow-hidden text-note text-muted">
    {firing === undefined && <span className="whitespace-nowrap">{words.group_alerts_unknown()}</span>}
    {firing !== undefined && firing > 0 && (
      <span className="whitespace-nowrap text-crit">
        {isFiringPart && '≥ '}
        <b className="font-semibold">{firing}</b> {words.count_firing({ count: firing })}
      </span>
    )}
    <HealthSummary counts={counts} />
  </span>
)
