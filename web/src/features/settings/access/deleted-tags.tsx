import { useMutation, useQuery } from '@tanstack/react-query'
import { deletedTagsQuery, restoreTag, type DeletedTag } from '../../../api/deleted-tags.ts'
import { failureDetailOf } from '../../../api/field-messages.ts'
import { formatTime } from '../../../format/time.ts'
import { useFormats } from '../../../preferences/use-preferences.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Tag } from '../../../ui/tag.tsx'
import * as words from '../../../words/messages.js'

/**
 * React component: list of the tags deleted within the last day, each with a button that undoes the deletion. Renders nothing when there
 * are none.
 */
export function DeletedTags() {
  const { data: deleted = [] } = useQuery(deletedTagsQuery)
  const undo = useMutation({ mutationFn: restoreTag })
  if (deleted.length === 0) return null
  return (
    <section aria-label={words.tags_deleted()} className="mt-3 border-t border-border pt-2">
      <h3 className="text-note font-medium">{words.tags_deleted()}</h3>
      <ul className="divide-y divide-border">
        {deleted.map((one) => (
          <DeletedLine key={one.id} deleted={one} isBusy={undo.isPending} onUndo={() => undo.mutate(one)} />
        ))}
      </ul>
      {undo.isError && <FormError message={failureDetailOf(undo.error)} />}
    </section>
  )
}

function DeletedLine({
  deleted: { tag, systems, by, atMs },
  isBusy,
  onUndo,
}: {
  deleted: DeletedTag
  isBusy: boolean
  onUndo: () => void
}) {
  const formats = useFormats()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-1.5">
      <span className="flex max-w-full min-w-0">
        <Tag text={tag} />
      </span>
      <span className="text-note">{words.systems_count({ count: systems })}</span>
      <span className="text-note text-muted wrap-anywhere">
        {words.tag_deleted_by({ name: by, time: formatTime(atMs, 'dayAndTime', formats) })}
      </span>
      <Button className="ml-auto max-sm:ml-0" aria-label={words.tag_restore_one({ tag })} disabled={isBusy} onClick={onUndo}>
        {words.tag_restore()}
      </Button>
    </li>
  )
}
