import { changeSettings } from './account.ts'
import { getJson } from './client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'

/**
 * Maximum number of steps in a user's escalation, 5; the hub refuses more. Escalation informs further channels or users about an alert that
 * nobody acknowledges.
 */
export const MOST_ESCALATION_STEPS = 5
/**
 * Maximum delay of an escalation step in minutes, 1,440 (one day), counted from the message about the alert. The form refuses a longer one.
 */
export const LATEST_STEP_MINUTES = 1440

/** Recipient of an escalation step: a list of the user's own channels (email addresses, webhook URLs), or the id of another user. */
export type StepRecipient =
  | { readonly kind: 'channels'; readonly channels: readonly string[] }
  | { readonly kind: 'person'; readonly person: string }

/**
 * Step of a user's escalation: it informs its recipient `minutes` after the message about an alert that nobody has acknowledged by then.
 */
export type EscalationStep = { readonly minutes: number; readonly isCriticalOnly: boolean; readonly recipient: StepRecipient }

/**
 * Item of the setting `escalation`: the JSON value that the hub stores, and the step in it. `step` is `undefined` for a value that this
 * dashboard cannot read, such as one of a newer hub.
 */
export type StoredStep = { readonly key: string; readonly stored: unknown; readonly step: EscalationStep | undefined }

const fields: ReadonlySet<string> = new Set(['minutes', 'severity', 'channels', 'person'])

/**
 * Parses the user's setting `escalation` and returns its steps in stored order. `undefined` if the setting is not a list; then no step can
 * be changed.
 */
export function readEscalation({ escalation }: JsonRecord): readonly StoredStep[] | undefined {
  if (escalation === undefined || escalation === null) return []
  if (!Array.isArray(escalation)) return undefined
  return listOf(escalation).map((stored) => ({ key: JSON.stringify(stored), stored, step: readStep(stored) }))
}

function readStep(stored: unknown): EscalationStep | undefined {
  const record = recordOf(stored)
  const { severity } = record
  const minutes = numberOf(record['minutes'])
  const recipient = readRecipient(record)
  if (minutes === undefined || recipient === undefined || Object.keys(record).some((name) => !fields.has(name))) return undefined
  if (severity !== undefined && severity !== 'critical') return undefined
  return { minutes, isCriticalOnly: severity === 'critical', recipient }
}

function readRecipient({ channels, person }: JsonRecord): StepRecipient | undefined {
  const id = textOf(person)
  if (channels === undefined) return id === undefined ? undefined : { kind: 'person', person: id }
  if (person !== undefined || !Array.isArray(channels) || !channels.every((one) => typeof one === 'string')) return undefined
  return { kind: 'channels', channels }
}

const storedForm = ({ minutes, isCriticalOnly, recipient }: EscalationStep): JsonRecord => ({
  minutes,
  ...(isCriticalOnly ? { severity: 'critical' } : {}),
  ...(recipient.kind === 'person' ? { person: recipient.person } : { channels: recipient.channels }),
})

/**
 * Function that takes the stored escalation steps and returns the changed list as JSON values for the hub. Returns `undefined` if the step
 * to change is not in the list any more.
 */
export type EscalationChange = (steps: readonly StoredStep[]) => readonly unknown[] | undefined

/**
 * Returns a function that inserts an escalation step into the list, which is sorted by minutes. With `replaced`, the key of an existing
 * step, it replaces that step.
 */
export const withStep =
  (step: EscalationStep, replaced?: string): EscalationChange =>
  (steps) => {
    const others = steps.filter(({ key }) => key !== replaced)
    if (replaced !== undefined && others.length === steps.length) return undefined
    const next = others.findIndex((other) => (other.step?.minutes ?? 0) > step.minutes)
    const stored = others.map((other) => other.stored)
    return stored.toSpliced(next === -1 ? stored.length : next, 0, storedForm(step))
  }

/** Returns a function that deletes the escalation step with the key `key` from the list of steps, for `changeEscalation`. */
export const withoutStep =
  (key: string): EscalationChange =>
  (steps) => {
    const others = steps.filter((step) => step.key !== key)
    return others.length === steps.length ? undefined : others.map(({ stored }) => stored)
  }

/**
 * Applies a change to the steps that the hub has now, which another page may have changed, and stores them. Resolves to the user's
 * settings, or to `undefined` if the step to change is gone or the setting is not a list.
 */
export async function changeEscalation(change: EscalationChange): Promise<JsonRecord | undefined> {
  const { settings } = recordOf(await getJson('/api/account/settings', undefined))
  const steps = readEscalation(recordOf(settings))
  const changed = steps === undefined ? undefined : change(steps)
  if (changed === undefined) return undefined
  // A null removes the setting.
  return changeSettings({ merge: { escalation: changed.length === 0 ? null : changed } })
}
