import { useMutation } from '@tanstack/react-query'
import { revokeApiKey, type ApiKey } from '../../api/api-keys.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'

type RevokeKeyDialogProps = { apiKey: ApiKey; onRevoked: () => void; onClose: () => void }

/**
 * React component: confirmation dialog that revokes (deletes) the API key `apiKey` of the user at the hub. After success it calls
 * `onRevoked`, then `onClose`.
 */
export function RevokeKeyDialog({ apiKey: { id, name, scope }, onRevoked, onClose }: RevokeKeyDialogProps) {
  const revocation = useMutation({
    mutationFn: revokeApiKey,
    onSuccess: () => {
      onRevoked()
      onClose()
    },
  })
  const about = scope === 'ingest' ? words.api_key_revoke_ingest_about() : words.api_key_revoke_about()
  return (
    <Dialog title={words.api_key_revoke_title({ name })} description={about} role="alertdialog" onClose={onClose}>
      {revocation.isError && <FormError message={messageOf(revocation.error)} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{words.cancel()}</Button>
        <Button look="danger" disabled={revocation.isPending} onClick={() => revocation.mutate(id)}>
          {words.api_key_revoke()}
        </Button>
      </div>
    </Dialog>
  )
}
