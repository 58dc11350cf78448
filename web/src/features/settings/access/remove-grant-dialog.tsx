import type { Grant } from '../../../api/access-lists.ts'
import { removeGrant } from '../../../api/change-access.ts'
import * as words from '../../../words/messages.js'
import { withoutGrant } from './access-model.ts'
import { Losses } from './losses.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import type { Access } from './use-access.ts'

/**
 * React component: confirmation dialog that removes `grant`, so that its user or group loses the tag. It lists who would lose access to how
 * many systems.
 */
export const RemoveGrantDialog = ({ grant, access, onClose }: { grant: Grant; access: Access; onClose: () => void }) => (
  <RemovalDialog
    title={words.grant_remove_title({ tag: grant.tag })}
    description={words.grant_remove_about({ name: access.nameOf(grant.holder) })}
    action={words.remove_address()}
    remove={() => removeGrant(grant)}
    onClose={onClose}
  >
    <Losses access={access} after={(before) => withoutGrant(before, grant)} />
  </RemovalDialog>
)
