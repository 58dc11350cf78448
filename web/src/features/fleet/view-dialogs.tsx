import type { SignedInUser } from '../../api/client.ts'
import { viewSearch } from './fleet-address.ts'
import { ManageViewsDialog } from './manage-views-dialog.tsx'
import { SaveViewDialog } from './save-view-dialog.tsx'
import type { FleetView } from './use-fleet-view.ts'

type ViewDialogsProps = { kind: 'save-view' | 'views'; view: FleetView; user: SignedInUser; onClose: () => void }

/**
 * React component: dialog about saved views of All Systems. `kind` selects it: `save-view` saves the present `view` (filter, sort order,
 * grouping), `views` manages the user's views.
 */
export const ViewDialogs = ({ kind, view, user, onClose }: ViewDialogsProps) =>
  kind === 'views' ? (
    <ManageViewsDialog user={user} onClose={onClose} />
  ) : (
    <SaveViewDialog search={viewSearch(view)} role={user.role} onClose={onClose} />
  )
