import { useQuery } from '@tanstack/react-query'
import { peopleList } from '../../../api/access-lists.ts'
import type { StepRecipient, StoredStep } from '../../../api/escalation.ts'
import { Button } from '../../../ui/button.tsx'
import * as words from '../../../words/messages.js'
import { personName } from '../access/access-model.ts'
import { ChannelLines } from '../notification-rules/channel-lines.tsx'
import type { EditedStep } from './step-dialog.tsx'
import { stepName } from './step-draft.ts'

type StepLineProps = {
  stored: StoredStep
  /**
   * List of the addresses in the user's settings (email addresses, webhook URLs). A channel of the escalation step that is not among them
   * is shown as removed.
   */
  addresses: readonly string[]
  isAdmin: boolean
  onEdit: (edited: EditedStep) => void
  onDelete: (name: string) => void
}

/**
 * React component: list item of an escalation step: delay, severity, recipient, and buttons that edit and delete it. `onEdit` gets the step
 * to edit, `onDelete` its displayed name.
 */
export function StepLine({ stored: { key, step }, addresses, isAdmin, onEdit, onDelete }: StepLineProps) {
  const name = stepName(step)
  const recipient = step?.recipient
  // Somebody who is no admin any more can delete such a step.
  const mayEdit = step !== undefined && (isAdmin || recipient?.kind === 'channels')
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
      <div className="flex min-w-40 flex-1 flex-col gap-0.5">
        <p className="font-medium wrap-anywhere">{name}</p>
        <RecipientLines recipient={recipient} addresses={addresses} isAdmin={isAdmin} />
      </div>
      <div className="flex items-center gap-2">
        {mayEdit && (
          <Button aria-label={words.escalation_edit_one({ step: name })} onClick={() => onEdit({ key, step })}>
            {words.edit()}
          </Button>
        )}
        <Button aria-label={words.escalation_delete_one({ step: name })} onClick={() => onDelete(name)}>
          {words.delete_action()}
        </Button>
      </div>
    </li>
  )
}

type RecipientLinesProps = { recipient: StepRecipient | undefined; addresses: readonly string[]; isAdmin: boolean }

/**
 * React component: recipient of an escalation step (addresses, or a person), with the reason if the hub would skip the step. `recipient` is
 * `undefined` for a step that this dashboard cannot read.
 */
function RecipientLines({ recipient, addresses, isAdmin }: RecipientLinesProps) {
  if (recipient === undefined) return <p className="text-note text-muted">{words.escalation_unknown_about()}</p>
  if (recipient.kind === 'channels')
    return <ChannelLines channels={recipient.channels} addresses={addresses} allRemoved={words.escalation_all_removed()} />
  if (!isAdmin) return <p className="text-note text-warn">{words.escalation_person_admins()}</p>
  return <PersonLine person={recipient.person} />
}

/**
 * React component: name of the user (id `person`) whom an escalation step informs. Render it only for admins, because only they may read
 * the list of users.
 */
function PersonLine({ person }: { person: string }) {
  const { data: people } = useQuery(peopleList.query)
  const found = people?.find(({ id }) => id === person)
  if (people !== undefined && found === undefined) return <p className="text-note text-warn">{words.escalation_person_gone()}</p>
  return <p className="text-note wrap-anywhere text-muted">{found === undefined ? words.escalation_person_other() : personName(found)}</p>
}
