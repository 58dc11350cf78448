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
  /** Ticks are not in the address: no link deletes what nobody ticked here. */
  tickedToDelete: readonly string[]
  /** A deletion was tried, of one record or of several. */
  onTried: () => void
}

/** The open record, and the question before records are deleted, as the address says. */
export function RecordDialogs({ model, view: { recordId, closeRecord }, tickedToDelete, onTried }: RecordDialogsProps) {
  const { dialog, item, open, close } = useDialog()
  const cache = useQueryClient()
  const toDelete = dialog === 'delete' ? [item] : dialog === 'delete-ticked' ? tickedToDelete : []
  const [deletedId, setDeletedId] = useState('')
  const isDeleted = recordId === deletedId && dialog === ''
  useEffect(() => {
    // Back leads to the record that was deleted from its own dialog.
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
