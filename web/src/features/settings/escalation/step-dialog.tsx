import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { peopleList } from '../../../api/access-lists.ts'
import { LATEST_STEP_MINUTES, withStep, type EscalationStep } from '../../../api/escalation.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Form } from '../../../ui/form.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import * as words from '../../../words/messages.js'
import { personName, sortPeople } from '../access/access-model.ts'
import { ChannelsField } from '../notification-rules/channels-field.tsx'
import { newStepDraft, readStepDraft, stepDraftOf, type StepDraft } from './step-draft.ts'
import { useChangeEscalation } from './use-change-escalation.ts'

/** Existing escalation step that the dialog edits, with the key that identifies it in the list of steps. */
export type EditedStep = { readonly key: string; readonly step: EscalationStep }

type StepDialogProps = {
  /** Escalation step that the dialog changes; `undefined` to add a step. */
  edited: EditedStep | undefined
  /** List of the delays, in minutes, of the other escalation steps. A step with the same delay is refused. */
  taken: readonly number[]
  /**
   * List of the addresses in the user's settings (email addresses, webhook URLs), from which the user of the dialog selects the step's
   * channels.
   */
  addresses: readonly string[]
  /** Id of the signed-in user, who is left out of the list of people that a step can inform. */
  userId: string
  isAdmin: boolean
  onSaved: () => void
  onClose: () => void
}

/**
 * React component: dialog that adds or changes a step of the user's escalation. With `isAdmin`, the step can inform another user instead of
 * channels. `onSaved` is called after the hub has stored it.
 */
export function StepDialog({ edited, taken, addresses, userId, isAdmin, onSaved, onClose }: StepDialogProps) {
  const [draft, setDraft] = useState(() => (edited === undefined ? newStepDraft : stepDraftOf(edited.step)))
  const change = (some: Partial<StepDraft>) => setDraft((current) => ({ ...current, ...some }))
  const saving = useChangeEscalation()
  const read = readStepDraft(draft, taken)
  return (
    <Dialog
      title={edited === undefined ? words.escalation_add_title() : words.escalation_edit_title()}
      description={words.escalation_dialog_about()}
      onClose={onClose}
    >
      <Form
        check={() => ('errors' in read ? read.errors : {})}
        onSubmit={() => {
          if ('step' in read) saving.mutate(withStep(read.step, edited?.key), { onSuccess: onSaved })
        }}
      >
        <NumberField
          label={words.escalation_minutes()}
          name="minutes"
          min={1}
          max={LATEST_STEP_MINUTES}
          step={1}
          required
          value={draft.minutes}
          onCommit={(minutes) => change({ minutes })}
        />
        <SelectField
          label={words.policy_field_severity()}
          name="severity"
          choices={[
            { value: 'every', label: words.notify_rule_any_severity() },
            { value: 'critical', label: words.severity_critical() },
          ]}
          value={draft.severity}
          onChange={(severity) => change({ severity })}
        />
        {isAdmin && (
          <SelectField
            label={words.escalation_recipient()}
            name="kind"
            choices={[
              { value: 'channels', label: words.escalation_own() },
              { value: 'person', label: words.escalation_person_other() },
            ]}
            value={draft.kind}
            onChange={(kind) => change({ kind })}
          />
        )}
        {draft.kind === 'person' ? (
          <PersonField person={draft.person} userId={userId} onChange={(person) => change({ person })} />
        ) : (
          <ChannelsField
            name="channels"
            addresses={addresses}
            chosen={draft.channels}
            about={words.escalation_channels_about()}
            onChange={(channels) => change({ channels })}
          />
        )}
        {saving.isError && <FormError message={messageOf(saving.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {words.save()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** Value of the dropdown list of users while none is selected. The step's form value `person` is then an empty string. */
const NOBODY = 'nobody'

type PersonFieldProps = { person: string; userId: string; onChange: (person: string) => void }

/**
 * React component: dropdown list of all users but the one with id `userId`; `onChange` gets the selected user's id. Render it only for
 * admins, because only they may read the list of users.
 */
function PersonField({ person, userId, onChange }: PersonFieldProps) {
  const { data: people, error } = useQuery({ ...peopleList.query, select: sortPeople })
  if (error !== null) return <FormError message={messageOf(error)} />
  const others = (people ?? []).filter(({ id }) => id !== userId)
  return (
    <SelectField
      label={words.escalation_person()}
      name="person"
      hint={words.escalation_person_about()}
      choices={[
        { value: NOBODY, label: words.escalation_person_missing() },
        ...others.map((one) => ({ value: one.id, label: personName(one) })),
      ]}
      value={others.some(({ id }) => id === person) ? person : NOBODY}
      onChange={(chosen) => onChange(chosen === NOBODY ? '' : chosen)}
    />
  )
}
