import type { SignedInUser } from '../../api/client.ts'
import { LoadedPart, ReloadOffer } from '../../navigation/loaded-part.tsx'
import { useDialog } from '../../navigation/use-dialog.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuOnDemand } from '../../ui/menu-on-demand.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import * as words from '../../words/messages.js'
import type { FleetView } from './use-fleet-view.ts'

const ViewsMenu = onDemand(async () => (await import('./views-menu.tsx')).ViewsMenu)
const ViewDialogs = onDemand(async () => (await import('./view-dialogs.tsx')).ViewDialogs)

/**
 * React component: button that opens the menu of saved views of All Systems, with the dialogs that save and manage views. `view` is the
 * present filter, sort order and grouping.
 */
export function ViewsButton({ view, user }: { view: FleetView; user: SignedInUser }) {
  const { dialog, open, close } = useDialog()
  const isOpen = dialog === 'save-view' || dialog === 'views'
  return (
    <>
      <MenuOnDemand
        button={{
          look: 'icon',
          'aria-label': words.views(),
          'data-tooltip': words.views(),
          children: <Icon name="views" />,
        }}
        load={ViewsMenu.load}
        renderMenu={(trigger) => <ViewsMenu trigger={trigger} view={view} user={user} onDialog={open} />}
        renderFailed={() => <ReloadOffer />}
      />
      <LoadedPart resetKey={String(isOpen)}>{isOpen && <ViewDialogs kind={dialog} view={view} user={user} onClose={close} />}</LoadedPart>
    </>
  )
}
