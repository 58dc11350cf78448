import type { ReactElement } from 'react'
import type { System } from '../../api/system-record.ts'
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import * as words from '../../words/messages.js'
import { groupSystems, tagKeys } from './fleet-groups.ts'
import { foldGroups, foldKey } from './folded-groups.ts'
import { groupingText, readGrouping, type FleetGrouping } from './grouping.ts'

/** Maximum number of tag keys, 50, by which the menu offers to group the list of systems: the most frequent ones. */
const MOST_KEYS = 50

type GroupMenuProps = {
  trigger: ReactElement
  systems: readonly System[]
  grouping: FleetGrouping
  onGrouping: (grouping: FleetGrouping) => void
}

/**
 * React component: menu that groups the list of systems by a tag key, by each tag or not at all (`onGrouping`). It also collapses or
 * expands all groups.
 */
export function GroupMenu({ trigger, systems, grouping, onGrouping }: GroupMenuProps) {
  const text = groupingText(grouping)
  const frequent = tagKeys(systems).slice(0, MOST_KEYS)
  // The key of the URL may be one that no tag has.
  const keys = grouping.kind === 'key' && !frequent.includes(grouping.key) ? [...frequent, grouping.key] : frequent
  const hasTags = systems.some(({ tags }) => tags.length > 0)
  const fold = (isFolded: boolean) =>
    foldGroups(
      groupSystems(systems, grouping).map(({ name }) => foldKey(text, name)),
      isFolded,
    )
  return (
    <Menu trigger={trigger}>
      <MenuLabel>{words.group_by()}</MenuLabel>
      <MenuChoices
        value={text}
        onChange={(chosen) => onGrouping(readGrouping(chosen))}
        choices={[
          { value: 'none', label: words.group_none() },
          ...(hasTags || grouping.kind === 'anyTag' ? [{ value: 'tag', label: words.group_any_tag() }] : []),
          ...keys.map((key) => ({
            value: groupingText({ kind: 'key', key }),
            label: <span className="max-w-56 truncate">{words.group_key({ key })}</span>,
          })),
        ]}
      />
      {!hasTags && <p className="max-w-64 px-2.5 py-1.5 text-note text-muted">{words.group_no_tags()}</p>}
      {grouping.kind !== 'none' && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => fold(true)}>{words.group_fold_all()}</MenuItem>
          <MenuItem onSelect={() => fold(false)}>{words.group_expand_all()}</MenuItem>
        </>
      )}
    </Menu>
  )
}
