import type { Grant, Group, Holder } from '../../../api/access-lists.ts'
import { DeleteGroupDialog } from './delete-group-dialog.tsx'
import { GrantDialog } from './grant-dialog.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { RemoveGrantDialog } from './remove-grant-dialog.tsx'
import type { Access } from './use-access.ts'

/**
 * Open dialog of the settings page "Access", and the group, grant or tag that it is about. Without `group`, it adds a group. Without
 * `holder`, the admin selects the user to whom a tag is granted; a group cannot be selected there.
 */
export type AccessDialog =
  | { readonly kind: 'group'; readonly group?: Group }
  | { readonly kind: 'delete-group'; readonly group: Group }
  | { readonly kind: 'grant'; readonly holder?: Holder }
  | { readonly kind: 'remove-grant'; readonly grant: Grant }

/**
 * React component: renders the dialog of the settings page "Access" that `dialog` describes, such as one for a group, a grant or a
 * deletion. `access` has the page's loaded lists.
 */
export function AccessDialogs({ dialog, ...parts }: { dialog: AccessDialog; access: Access; onClose: () => void }) {
  switch (dialog.kind) {
    case 'group':
      return <GroupDialog group={dialog.group} {...parts} />
    case 'delete-group':
      return <DeleteGroupDialog group={dialog.group} {...parts} />
    case 'grant':
      return <GrantDialog holder={dialog.holder} {...parts} />
    case 'remove-grant':
      return <RemoveGrantDialog grant={dialog.grant} {...parts} />
  }
}
