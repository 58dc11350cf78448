import { useQuery } from '@tanstack/react-query'
import type { SignedInUser } from '../../api/client.ts'
import { savedViewsQuery } from '../../api/saved-views.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import * as words from '../../words/messages.js'
import { managedViews } from './managed-views.ts'
import { ViewLine } from './view-line.tsx'

/**
 * React component: dialog that lists the saved views of All Systems that the user may change, to rename, share and delete them. Each change
 * is saved at once.
 */
export function ManageViewsDialog({ user, onClose }: { user: SignedInUser; onClose: () => void }) {
  const query = useQuery(savedViewsQuery)
  return (
    <Dialog title={words.views_manage_title()} description={words.views_manage_about()} onClose={onClose}>
      <Awaited
        query={query}
        isEmpty={(views) => managedViews(views, user).length === 0}
        empty={<p className="text-muted">{words.views_none()}</p>}
      >
        {(views) => (
          <ul aria-label={words.views()} className="flex flex-col">
            {managedViews(views, user).map((view) => (
              <ViewLine key={view.id} view={view} mayShare={user.role !== 'readonly'} />
            ))}
          </ul>
        )}
      </Awaited>
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          {words.done()}
        </Button>
      </div>
    </Dialog>
  )
}
