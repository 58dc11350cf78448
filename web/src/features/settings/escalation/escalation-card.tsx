import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { settingsQuery } from '../../../api/account.ts'
import type { SignedInUser } from '../../../api/client.ts'
import { MOST_ESCALATION_STEPS, readEscalation } from '../../../api/escalation.ts'
import type { JsonRecord } from '../../../api/json.ts'
import { readNotifications } from '../../../api/notification-settings.ts'
import { Awaited } from '../../../ui/awaited.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import * as words from '../../../words/messages.js'
import type { EditedStep } from './step-dialog.tsx'
import { StepLine } from './step-line.tsx'

const StepDialog = onDemand(async () => (await import('./step-dialog.tsx')).StepDialog)
const DeleteStepDialog = onDemand(async () => (await import('./delete-step-dialog.tsx')).DeleteStepDialog)

/**
 * React component: settings card with the steps of the user's escalation, which inform further channels or people about alerts that nobody
 * acknowledges. Buttons add, edit and delete steps.
 */
export function EscalationCard({ user }: { user: SignedInUser }) {
  const query = useQuery(settingsQuery)
  return (
    <Card id="escalation" title={words.settings_escalation()} description={words.settings_escalation_about()}>
      <Awaited query={query}>{(settings) => <Escalation settings={settings} user={user} />}</Awaited>
    </Card>
  )
}

/** Dialog that is open above the escalation card: `edit` or `delete`. `edit` without `edited` adds a step. */
type OpenDialog =
  | { readonly kind: 'edit'; readonly edited?: EditedStep }
  | { readonly kind: 'delete'; readonly key: string; readonly name: string }

function Escalation({ settings, user }: { settings: JsonRecord; user: SignedInUser }) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const [changes, setChanges] = useState(0)
  const list = useRef<HTMLFieldSetElement>(null)
  // The button that opened the dialog is gone with the earlier form of its step.
  useEffect(() => {
    if (changes > 0 && document.activeElement === document.body) list.current?.focus()
  }, [changes])
  const steps = readEscalation(settings)
  if (steps === undefined) return <p className="text-muted">{words.escalation_unreadable()}</p>
  const { emails, webhooks } = readNotifications(settings)
  const addresses = [...emails, ...webhooks]
  const isAdmin = user.role === 'admin'
  const close = () => setDialog(undefined)
  const closeChanged = () => {
    close()
    setChanges(changes + 1)
  }
  const editedKey = dialog?.kind === 'edit' ? dialog.edited?.key : undefined
  return (
    <fieldset ref={list} tabIndex={-1} aria-label={words.settings_escalation()} className="flex w-full min-w-0 flex-col items-start gap-2">
      {steps.length === 0 ? (
        <p className="text-muted">{words.escalation_none()}</p>
      ) : (
        <ol className="w-full divide-y divide-border">
          {steps.map((stored) => (
            <StepLine
              key={stored.key}
              stored={stored}
              addresses={addresses}
              isAdmin={isAdmin}
              onEdit={(edited) => setDialog({ kind: 'edit', edited })}
              onDelete={(name) => setDialog({ kind: 'delete', key: stored.key, name })}
            />
          ))}
        </ol>
      )}
      {steps.length < MOST_ESCALATION_STEPS ? (
        <Button onClick={() => setDialog({ kind: 'edit' })}>{words.escalation_add()}</Button>
      ) : (
        <p className="text-note text-muted">{words.problem_most_entries({ max: MOST_ESCALATION_STEPS })}</p>
      )}
      {dialog?.kind === 'edit' && (
        <StepDialog
          edited={dialog.edited}
          taken={steps.flatMap(({ key, step }) => (step === undefined || key === editedKey ? [] : [step.minutes]))}
          addresses={addresses}
          userId={user.id}
          isAdmin={isAdmin}
          onSaved={closeChanged}
          onClose={close}
        />
      )}
      {dialog?.kind === 'delete' && <DeleteStepDialog stepKey={dialog.key} name={dialog.name} onDeleted={closeChanged} onClose={close} />}
    </fieldset>
  )
}
