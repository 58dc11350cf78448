import type { Group } from '../../../api/access-lists.ts'
import { deleteGroup } from '../../../api/change-access.ts'
import * as words from '../../../words/messages.js'
import { withoutGroup } from './access-model.ts'
import { Losses } from './losses.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import type { Access } from './use-access.ts'

/**
 * React component: confirmation dialog that deletes the group `group` of users. It lists who would lose access to how many systems.
 * `access` has the page's loaded lists.
 */
export const DeleteGroupDialog = ({ group, access, onClose }: { group: Group; access: Access; onClose: () => void }) => (
  <RemovalDialog
    title={words.group_delete_title({ name: group.name })}
    description={words.group_delete_about()}
    action={words.delete_action()}
    remove={() => deleteGroup(group)}
    onClose={onClose}
  >
    <Losses access={access} after={(before) => withoutGroup(before, group)} />
  </RemovalDialog>
)
