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
  /** Text of the rule by which the list of systems is grouped. `tag` is by each tag, `key:env` by the values of the tag key `env`. */
  grouping: string
  /** True when the signed-in user has alert rules. If false, the page does not request firing alerts. */
  hasAlerts: boolean
  now: number
  /**
   * Function that renders the list of systems from its lines (headings of groups, and systems). Its second argument is a function that
   * takes a heading's line and returns its React node.
   */
  renderList: (lines: readonly FleetLine[], renderHeading: (line: GroupLine) => ReactNode) => ReactNode
}

/**
 * React component: list of systems in groups by the rule `grouping`. It computes the lines (headings and systems) and passes them to
 * `renderList`. Its code is loaded when the user groups the list.
 */
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

/**
 * Takes the firing alerts of the signed-in user and returns their number for each system id. Systems without a firing alert are absent.
 * `isPart` is true for 500 alerts or more, as the hub returned no more.
 */
function firingCounts(incidents: readonly Incident[]): FiringCounts {
  const counts = new Map<string, number>()
  for (const { system } of incidents) counts.set(system, (counts.get(system) ?? 0) + 1)
  return { counts, isPart: incidents.length >= MOST_FIRING }
}
