import { cn } from '../../ui/cn.ts'
import { Icon } from '../../ui/icon.tsx'
import * as words from '../../words/messages.js'
import { groupState, type FiringCounts } from './fleet-groups.ts'
import type { GroupLine } from './fleet-lines.ts'
import { GroupStateText } from './group-state-text.tsx'

type GroupHeadingProps = {
  line: GroupLine
  /** Number of the signed-in user's firing alerts on each system, by system id; `undefined` when they could not be fetched. */
  firing: FiringCounts | undefined
  now: number
  /**
   * Called to collapse or expand the group of systems with this name. `undefined`: the group of systems without a tag by which the list is
   * grouped.
   */
  onToggle: (name: string | undefined) => void
}

/**
 * React component: heading of a group in the list of systems: number of systems, their health, and firing alerts. Its button, with the
 * group's name, calls `onToggle` to collapse or expand the group.
 */
export function GroupHeading({ line: { group, isOpen }, firing, now, onToggle }: GroupHeadingProps) {
  const title = group.name ?? words.group_others()
  const count = group.systems.length
  return (
    <span className="flex h-full w-full items-center gap-3 px-2">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onToggle(group.name)}
        className="flex h-7 max-w-[60%] shrink-0 items-center gap-1.5 rounded-control pr-2 font-medium hover:bg-hover" /* the state needs the rest of the line */
      >
        <Icon name="chevron" className={cn('size-4 shrink-0 text-muted', !isOpen && '-rotate-90')} />
        <span className={cn('truncate', group.name === undefined && 'text-muted')}>{title === '' ? '""' : title}</span>
        <span className="shrink-0 font-normal text-muted">
          <span aria-hidden="true">{count}</span>
          <span className="sr-only">{words.systems_count({ count })}</span>
        </span>
      </button>
      <GroupStateText state={groupState(group, firing, now)} />
    </span>
  )
}
