import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { firingQuery, MOST_FIRING, type Incident } from '../../api/incidents.ts'
import type { System } from '../../api/system-record.ts'
import type { FleetGroup, FleetLine, GroupLine } from './fleet-lines.ts'
import type { FiringCounts } from './fleet-groups.ts'
import { GroupHeading } from './group-heading.tsx'
import { useGroupedLines, useGroups } from './use-grouped-lines.ts'

type GroupedRowsProps = {
  systems: readonly System[]
  /** Text of the grouping, such as `key:env`. */
  grouping: string
  /** True when the person has alert rules. Otherwise the firing alerts are not requested. */
  hasAlerts: boolean
  now: number
  /** Function that renders the list of systems from its lines. It renders the content of a heading with the second argument. */
  renderList: (lines: readonly FleetLine[], renderHeading: (line: GroupLine) => ReactNode) => ReactNode
}

/** React component: list of systems in groups. Its code is loaded when a person groups the list. */
export function GroupedRows({ systems, ...props }: GroupedRowsProps) {
  const groups = useGroups(systems, props.grouping)
  // A component of its own: the browser can respond between the two, which each take a while for thousands of systems.
  return <GroupLines groups={groups} {...props} />
}

type GroupLinesProps = Omit<GroupedRowsProps, 'systems'> & { groups: readonly FleetGroup[] }

function GroupLines({ groups, grouping, hasAlerts, now, renderList }: GroupLinesProps) {
  const { lines, toggleGroup } = useGroupedLines(groups, grouping)
  const { data: incidents, isError } = useQuery({ ...firingQuery, enabled: hasAlerts })
  const firing = useMemo(() => (isError && incidents === undefined ? undefined : firingCounts(incidents ?? [])), [incidents, isError])
  return renderList(lines, (line) => <GroupHeading line={line} firing={firing} now={now} onToggle={toggleGroup} />)
}

/** Returns the number of incidents of each system. */
function firingCounts(incidents: readonly Incident[]): FiringCounts {
  const counts = new Map<string, number>()
  for (const { system } of incidents) counts.set(system, (counts.get(system) ?? 0) + 1)
  return { counts, isPart: incidents.length >= MOST_FIRING }
}
