import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteRecord, idsOf, listRecords } from '../../api/client.ts'
import { textOf } from '../../api/json.ts'
import { failureDetailOf } from '../../api/field-messages.ts'
import { RequestFailed } from '../../api/request-failed.ts'
import { officeKeys } from '../../api/keys.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

type DeleteRecordsProps = { collection: string; ids: readonly string[]; onClose: () => void; onDeleted: () => void; onTried: () => void }

/**
 * React component: dialog that deletes the records with these ids from a collection after a confirmation that names the consequences.
 * Records that the hub refuses to delete stay; all others are deleted. `onDeleted` is called only when all are.
 */
export function DeleteRecordsDialog({ collection, ids, onClose, onDeleted, onTried }: DeleteRecordsProps) {
  // Ids still to delete: a retry tries only those that were refused.
  const [left, setLeft] = useState(ids)
  const remove = useMutation({
    mutationFn: async () => {
      const refused = new Map<string, string>()
      for (const id of left) {
        try {
          await deleteRecord(collection, id)
        } catch (error) {
          // Another client may have deleted the record.
          if (!(error instanceof RequestFailed && error.status === 404)) refused.set(id, `${id}: ${failureDetailOf(error)}`)
        }
      }
      if (refused.size === 0) return
      setLeft([...refused.keys()])
      throw new Error([...refused.values()].join(' '))
    },
    onSuccess: onDeleted,
    onSettled: onTried,
  })
  return (
    <Dialog
      role="alertdialog"
      title={words.office_delete_title({ count: left.length })}
      description={about(collection)}

      onClose={onClose}
    >
      {collection === 'users' && <SystemsOfPeople people={left} />}
      {remove.isError && <FormError message={remove.error.message} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {words.delete_action()}
        </Button>
      </div>
    </Dialog>
  )
}

function about(collection: string): string {
  if (collection === 'users') return words.office_delete_users()
  return collection === 'systems' ? words.office_delete_systems() : words.office_delete_records()
}

/**
 * React component: list of the systems that the hub would delete together with the selected users, because they are assigned to no other
 * user. `people` are the users' ids.
 */
function SystemsOfPeople({ people }: { people: readonly string[] }) {
  const query = useQuery({
    queryKey: officeKeys.systemsOfPeople(people),
    queryFn: ({ signal }) => listRecords('systems', { fields: 'id,name,users' }, signal),
  })
  return (
    <Awaited query={query} placeholder="h-5">
      {(systems) => {
        const theirs = systems.filter(({ users }) => idsOf(users).some((id) => people.includes(id)))
        const alone = theirs.filter(({ users }) => idsOf(users).every((id) => people.includes(id)))
        return (
          <div className="flex flex-col gap-1">
            <p>
              {alone.length === 0 ? words.office_systems_stay({ count: theirs.length }) : words.office_systems_go({ count: alone.length })}
            </p>
            <ul className="max-h-40 list-disc overflow-y-auto pl-5 font-medium">
              {alone.map(({ id, name }) => (
                <li key={textOf(id)} className="wrap-anywhere">
                  {textOf(name)}
                </li>
              ))}
            </ul>
          </div>
        )
      }}
    </Awaited>
  )
}
