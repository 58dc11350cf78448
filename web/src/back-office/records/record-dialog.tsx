import { useQuery } from '@tanstack/react-query'
import { getJson } from '../../api/client.ts'
import { recordOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import * as words from '../../words/messages.js'
import type { CollectionModel } from './collections.ts'
import { PersonFactors } from './person-factors.tsx'
import { RecordForm } from './record-form.tsx'

type RecordDialogProps = {
  model: CollectionModel
  /** Id of the record that the admin edits in the sheet; `undefined` to create a record. */
  id: string | undefined
  onClose: () => void
  onSaved: () => void
  onDelete: (id: string) => void
}

/**
 * React component: sheet in which an admin views and edits the record `id` of a collection, or creates one. `onSaved` is called after the
 * hub has stored it; `onDelete` opens the confirmation of a deletion.
 */
export function RecordDialog({ model, id, onClose, onSaved, onDelete }: RecordDialogProps) {
  const { data, isError, error } = useQuery({
    queryKey: officeKeys.record(model.name, id),
    queryFn: ({ signal }): Promise<JsonRecord> => load(model.name, id ?? '', signal),
    enabled: id !== undefined,
    gcTime: 0,
    retry: false,
  })
  const title = id === undefined ? words.office_new_record() : words.office_record()
  return (
    <Sheet
      title={title}
      description={id === undefined ? model.name : `${model.name} · ${id}`}

      onClose={onClose}
    >
      {isError && <FormError message={messageOf(error)} />}
      {id !== undefined && data === undefined && !isError && <Spinner label={words.loading()} />}
      {model.name === 'users' && id !== undefined && <PersonFactors person={id} />}
      {(id === undefined || data !== undefined) && (
        <RecordForm
          model={model}
          record={data}
          onSaved={() => {
            onSaved()
            onClose()
          }}
          onDelete={id === undefined ? undefined : () => onDelete(id)}
        />
      )}
    </Sheet>
  )
}

const load = async (collection: string, id: string, signal: AbortSignal): Promise<JsonRecord> =>
  recordOf(await getJson(`/api/collections/${encodeURIComponent(collection)}/records/${encodeURIComponent(id)}`, signal))
