import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getJson, sendRequest } from '../../api/client.ts'
import { recordOf } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

const pathOf = (person: string): string => `/api/vedette/users/${encodeURIComponent(person)}/second-factors`

/**
 * React component: line in the back-office dialog of a user (id `person`) with the user's second factors, and a button that removes them.
 * Renders nothing while loading or without factors; shows an error of loading.
 */
export function PersonFactors({ person }: { person: string }) {
  const [isAsking, setIsAsking] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: officeKeys.factorsOf(person),
    queryFn: async ({ signal }) => {
      const { app, passkeys } = recordOf(await getJson(pathOf(person), signal))
      return { hasApp: app === true, passkeys: typeof passkeys === 'number' ? passkeys : 0 }
    },
    gcTime: 0,
  })
  const removal = useMutation({
    mutationFn: () => sendRequest('DELETE', pathOf(person)),
    onSuccess: () => {
      setIsAsking(false)
      void refetch()
    },
  })
  if (error !== null) return <FormError message={messageOf(error)} />
  if (data === undefined || (!data.hasApp && data.passkeys === 0)) return null
  const parts = [...(data.hasApp ? [words.app()] : []), ...(data.passkeys > 0 ? [words.office_passkeys({ count: data.passkeys })] : [])]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="min-w-40 flex-1">
        <p>{words.second_factors()}</p>
        <p className="text-note text-muted">{parts.join(' · ')}</p>
      </div>
      <Button onClick={() => setIsAsking(true)}>{words.office_remove_factors()}</Button>
      {isAsking && (
        <Dialog
          title={words.office_remove_factors_title()}
          description={words.office_remove_factors_about()}
          role="alertdialog"
          onClose={() => setIsAsking(false)}
        >
          {removal.isError && <FormError message={messageOf(removal.error)} />}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setIsAsking(false)}>{words.cancel()}</Button>
            <Button look="danger" disabled={removal.isPending} onClick={() => removal.mutate()}>
              {words.office_remove_factors()}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
