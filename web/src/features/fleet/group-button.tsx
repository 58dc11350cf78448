import type { System } from '../../api/system-record.ts'
import { ReloadOffer } from '../../navigation/loaded-part.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuOnDemand } from '../../ui/menu-on-demand.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import * as words from '../../words/messages.js'
import type { FleetGrouping } from './grouping.ts'

const GroupMenu = onDemand(async () => (await import('./group-menu.tsx')).GroupMenu)

type GroupButtonProps = { systems: readonly System[]; grouping: FleetGrouping; onGrouping: (grouping: FleetGrouping) => void }

/**
 * React component: button that opens the menu for grouping the list of systems. `grouping` is the present rule (none, a tag key, or each
 * tag); `onGrouping` is called with the selected one.
 */
export const GroupButton = ({ systems, grouping, onGrouping }: GroupButtonProps) => (
  <MenuOnDemand
    button={{
      look: 'icon',
      'aria-label': words.group_by(),
      'data-tooltip': words.group_by(),
      className: grouping.kind === 'none' ? undefined : 'border-border bg-track text-text',
      children: <Icon name="groups" />,
    }}
    load={GroupMenu.load}
    renderMenu={(trigger) => <GroupMenu trigger={trigger} systems={systems} grouping={grouping} onGrouping={onGrouping} />}
    renderFailed={() => <ReloadOffer />}
  />
)
