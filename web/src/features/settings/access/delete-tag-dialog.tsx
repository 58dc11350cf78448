import { deleteTag } from '../../../api/deleted-tags.ts'
import * as words from '../../../words/messages.js'
import { withoutTag } from './access-model.ts'
import { Losses } from './losses.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import type { TagOverview } from './tag-overview.ts'
import type { Access } from './use-access.ts'

type DeleteTagDialogProps = { overview: TagOverview; access: Access; onClose: () => void }

/**
 * React component: confirmation dialog that deletes the tag of `overview` from all systems. It lists who would lose access. It says if
 * agents still report the tag afterwards, or API keys and saved views still name it.
 */
export const DeleteTagDialog = ({ overview: { tag, sources, views, keys }, access, onClose }: DeleteTagDialogProps) => (
  <RemovalDialog
    title={words.tag_delete_title({ tag })}
    description={words.tag_delete_about()}
    action={words.delete_action()}
    remove={() => deleteTag(tag)}
    onClose={onClose}
  >
    {sources.includes('agent') && <p className="text-note text-muted">{words.tag_delete_agents()}</p>}
    {views + keys > 0 && <p className="text-note text-muted">{words.tag_delete_stays()}</p>}
    <Losses access={access} after={(before) => withoutTag(before, tag)} />
  </RemovalDialog>
)
