import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { addSystem } from '../../api/change-systems.ts'
import type { SignedInUser } from '../../api/client.ts'
import { hubIdentityQuery } from '../../api/hub.ts'
import { failureDetailOf, fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { emptyDraft, type SystemDraft } from '../../api/system-draft.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { InstallWays } from './install-ways.tsx'
import { problemsOf, SystemFields } from './system-fields.tsx'

/**
 * Form values of a new system that the hub rejected after the dialog was closed, with the hub's error messages by field name. The reopened
 * dialog shows both.
 */
export type ReopenedDraft = { readonly draft: SystemDraft; readonly refused: Readonly<Record<string, string>> }

type AddSystemDialogProps = {
  reopened: ReopenedDraft | undefined
  user: SignedInUser
  onClose: () => void
  onReopen: (draft: ReopenedDraft) => void
}

export function AddSystemDialog({ reopened, user, onClose, onReopen }: AddSystemDialogProps) {
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(reopened?.draft ?? emptyDraft)
  const { data: hub, isError, error } = useQuery(hubIdentityQuery)
  const publicKey = hub?.publicKey ?? ''

  const submit = () => {
    if (publicKey === '') return
    // Replaces the history entry that the dialog added.
    navigate(paths.home, { replace: true })
    void createSystem(draft, user.id, onReopen)
  }

  return (
    <Dialog title={words.add_title()} description={words.add_description()} onClose={onClose}>
      <Form check={() => problemsOf(draft)} refused={reopened?.refused ?? {}} onSubmit={submit}>
        <SystemFields draft={draft} onChange={setDraft} />
        <div className="flex items-end gap-2">
          <TextField
            label={words.field_public_key()}
            readOnly
            required
            className="flex-1 font-mono text-small"
            value={publicKey}
            error={isError ? messageOf(error) : undefined}
          />
          <CopyButton text={publicKey} label={words.copy_public_key()} />
        </div>
        <InstallWays agent={{ port: draft.port, publicKey }} onCopy={copy} />
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit">
            {words.add_system()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <Button aria-label={label} data-tooltip={label} disabled={text === ''} onClick={() => copy(text)} className="h-9">
      <Icon name="copy" />
    </Button>
  )
}

const copy = (text: string) => void copyText(text, { copied: words.copied(), askManually: words.copy_manually() })

/**
 * Creates a system at the hub after the form's dialog has closed. When the hub rejects it, a toast (short message) reports the error, with
 * a button that opens the form with the typed values again.
 */
async function createSystem(draft: SystemDraft, userId: string, onReopen: AddSystemDialogProps['onReopen']): Promise<void> {
  try {
    await addSystem(draft, userId)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the specification asks for this line
    console.error(error)
    const refused = fieldMessagesOf(error)
    showToast({
      title: words.add_failed({ name: draft.name }),
      description: failureDetailOf(error),
      look: 'destructive',
      action: { label: words.add_reopen(), onPress: () => onReopen({ draft, refused }) },
    })
  }
}
