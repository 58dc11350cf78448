import { startTransition, useCallback, useEffect, useMemo, useState } from 'react'
import type { System } from '../../api/system-record.ts'
import { groupedLines, groupSystems } from './fleet-groups.ts'
import type { FleetGroup, FleetLine } from './fleet-lines.ts'
import { foldedGroups, foldGroups, foldKey, onFoldedGroupsChange } from './folded-groups.ts'
import { readGrouping } from './grouping.ts'

export type GroupedLines = {
  readonly lines: readonly FleetLine[]
  /** Function that collapses the group of systems with this name, or expands it if it is collapsed. */
  readonly toggleGroup: (name: string | undefined) => void
}

/**
 * React hook: returns the given systems as a list of groups. `grouping` is the rule as text, such as `key:env` (by the values of the tag
 * key `env`). The result is memoized.
 */
export const useGroups = (systems: readonly System[], grouping: string): readonly FleetGroup[] =>
  useMemo(() => groupSystems(systems, readGrouping(grouping)), [systems, grouping])

/**
 * React hook: returns the lines of the grouped list of systems (headings and systems), and a function that collapses or expands a group.
 * `grouping` is the rule for these groups as text, such as `key:env`. The result is memoized.
 */
export function useGroupedLines(groups: readonly FleetGroup[], grouping: string): GroupedLines {
  const folded = useFoldedGroups()
  const lines = useMemo(() => groupedLines(groups, (name) => folded.has(foldKey(grouping, name))), [groups, folded, grouping])
  const toggleGroup = useCallback(
    (name: string | undefined) => {
      const key = foldKey(grouping, name)
      foldGroups([key], !foldedGroups().has(key))
    },
    [grouping],
  )
  return { lines, toggleGroup }
}

/**
 * React hook: returns the set of keys (texts of grouping and group name) of the groups of systems that are collapsed. A change is rendered
 * as a React transition, so that many new rows do not block the page.
 */
function useFoldedGroups(): ReadonlySet<string> {
  const [folded, setFolded] = useState(foldedGroups)
  useEffect(() => {
    const update = () => startTransition(() => setFolded(foldedGroups()))
    update()
    return onFoldedGroupsChange(update)
  }, [])
  return folded
}
