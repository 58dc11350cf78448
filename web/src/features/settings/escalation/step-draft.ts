import type { EscalationStep } from '../../../api/escalation.ts'
import type { FieldErrors } from '../../../ui/form-errors.ts'
import * as words from '../../../words/messages.js'

/**
 * Form values of an escalation step: minutes, severity and recipient (`kind`). Channels stay while `kind` is `person`, and the other way
 * round.
 */
export type StepDraft = {
  readonly minutes: number | undefined
  readonly severity: 'every' | 'critical'
  readonly kind: 'channels' | 'person'
  readonly channels: readonly string[]
  /** Id of the user whom the step informs; an empty string while none is selected. */
  readonly person: string
}

/** Initial form values of a new escalation step: after 15 minutes, for alerts of every severity, without a recipient. */
export const newStepDraft: StepDraft = { minutes: 15, severity: 'every', kind: 'channels', channels: [], person: '' }

/** Returns the form values for editing an escalation step that the user's settings contain. */
export const stepDraftOf = ({ minutes, isCriticalOnly, recipient }: EscalationStep): StepDraft => ({
  ...newStepDraft,
  minutes,
  severity: isCriticalOnly ? 'critical' : 'every',
  ...recipient,
})

/**
 * Converts form values to `{ step }`, or to `{ errors }` with translated messages by field name. `errors` is `{}` if only the minutes are
 * missing, which their field reports itself. `taken`: minutes of the other steps, which are refused.
 */
export function readStepDraft(
  { minutes, severity, kind, channels, person }: StepDraft,
  taken: readonly number[],
): { readonly step: EscalationStep } | { readonly errors: FieldErrors } {
  const errors = {
    ...(minutes !== undefined && taken.includes(minutes) ? { minutes: words.escalation_minutes_taken() } : {}),
    ...(kind === 'channels' && channels.length === 0 ? { channels: words.escalation_channels_missing() } : {}),
    ...(kind === 'person' && person === '' ? { person: words.escalation_person_missing() } : {}),
  }
  if (minutes === undefined || Object.keys(errors).length > 0) return { errors }
  return {
    step: {
      minutes,
      isCriticalOnly: severity === 'critical',
      recipient: kind === 'person' ? { kind, person } : { kind, channels },
    },
  }
}

/**
 * Returns the displayed name of an escalation step, such as "After 15 min". For `undefined`, a step that this dashboard cannot read, it is
 * a general text.
 */
export function stepName(step: EscalationStep | undefined): string {
  if (step === undefined) return words.escalation_unknown()
  const { minutes, isCriticalOnly } = step
  return isCriticalOnly ? words.escalation_step_critical({ minutes }) : words.escalation_step({ minutes })
}
