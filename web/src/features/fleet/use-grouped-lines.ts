import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { System } from '../../api/system-record.ts'
import { groupedLines, groupSystems } from './fleet-groups.ts'
import type { FleetLine } from './fleet-lines.ts'
import { foldedGroups, foldGroups, foldKey, onFoldedGroupsChange } from './folded-groups.ts'
import { groupingText, readGrouping, type FleetGrouping } from './grouping.ts'

export type GroupedLines = {
  readonly lines: readonly FleetLine[]
  /** Function that collapses the group with this name, or expands it if it is collapsed. */
  readonly toggleGroup: (name: string | undefined) => void
}

/** React hook: returns the lines of the grouped list of systems, with the headings of its groups, and a function that folds a group. Memoized. */
export function useGroupedLines(systems: readonly System[], grouping: FleetGrouping): GroupedLines {
  const folded = useSyncExternalStore(onFoldedGroupsChange, foldedGroups)
  // The grouping may be a new object in each rendering, but its text is equal.
  const text = groupingText(grouping)
  const groups = useMemo(() => groupSystems(systems, readGrouping(text)), [systems, text])
  const lines = useMemo(() => groupedLines(groups, (name) => folded.has(foldKey(text, name))), [groups, folded, text])
  const toggleGroup = useCallback(
    (name: string | undefined) => {
      const key = foldKey(text, name)
      foldGroups([key], !foldedGroups().has(key))
    },
    [text],
  )
  return { lines, toggleGroup }
}
