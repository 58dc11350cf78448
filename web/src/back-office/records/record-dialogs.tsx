import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { officeKeys } from '../../api/keys.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { useDialog } from '../../navigation/use-dialog.ts'
import type { CollectionModel } from './collections.ts'
import { DeleteRecordsDialog } from './delete-records-dialog.tsx'
import type { RecordsView } from './use-records-view.ts'
import { onDemand } from '../../ui/on-demand.tsx'

const RecordDialog = onDemand(async () => (await import('./record-dialog.tsx')).RecordDialog)

type RecordDialogsProps = {
  model: CollectionModel
  view: RecordsView
  /**
   * List of the ids of the records that the admin has selected for deletion. It is not in the URL, so that a link cannot propose to delete
   * records.
   */
  tickedToDelete: readonly string[]
  /** Called after the records page has tried to delete the selected records, whether or not the hub has deleted them. */
  onTried: () => void
}

/**
 * React component: dialogs of the records page that the URL opens: the one for an open record, and the confirmation before records are
 * deleted.
 */
export function RecordDialogs({ model, view: { recordId, closeRecord }, tickedToDelete, onTried }: RecordDialogsProps) {
  const { dialog, item, open, close } = useDialog()
  const cache = useQueryClient()
  const toDelete = dialog === 'delete' ? [item] : dialog === 'delete-ticked' ? tickedToDelete : []
  const [deletedId, setDeletedId] = useState('')
  const isDeleted = recordId === deletedId && dialog === ''
  useEffect(() => {
    // Going back would show the deleted record again.
    if (isDeleted && recordId !== '') closeRecord()
  }, [isDeleted, recordId, closeRecord])
  const renew = () => void cache.invalidateQueries({ queryKey: officeKeys.allRecords })
  return (
    <>
      {recordId !== '' && !isDeleted && (
        <LoadedPart>
          <RecordDialog
            key={recordId}
            model={model}
            id={recordId === 'new' ? undefined : recordId}
            onClose={closeRecord}
            onSaved={renew}
            onDelete={(id) => open('delete', id)}
          />
        </LoadedPart>
      )}
      {toDelete.length > 0 && (
        <DeleteRecordsDialog
          collection={model.name}
          ids={toDelete}
          onClose={close}
          onDeleted={() => {
            setDeletedId(item)
            close()
          }}
          onTried={() => {
            onTried()
            renew()
          }}
        />
      )}
    </>
  )
}
