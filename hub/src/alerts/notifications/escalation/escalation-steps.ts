import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { isJsonObject } from '../../../platform/json.ts'
import type { Severity } from '../../judging/judgement.ts'

/** Maximum number of steps in the escalation of a user's alerts: 5. Settings with more are rejected. */
const MOST_STEPS = 5
/** Maximum delay of an escalation step after the message about the alert, in minutes: 1,440, a day. More is rejected. */
const LATEST_MINUTES = 1440
/** Maximum length in characters (2,000) of a channel address in a step of an escalation. Settings with a longer one are rejected. */
const LONGEST = 2000

const MINUTES = `Must be a whole number from 1 to ${LATEST_MINUTES}.`

/**
 * Schema of a step, an item of `escalation` in a user's settings. It is carried out if nobody acknowledged an alert for `minutes` after its
 * message. It informs channels (addresses in the settings) or another user (id). `severity` limits it to critical alerts; absent means all.
 */
const escalationStep = z
  .strictObject({
    minutes: z.int(MINUTES).min(1, MINUTES).max(LATEST_MINUTES, MINUTES),
    severity: z.literal('critical').optional(),
    channels: z.array(z.string().min(1).max(LONGEST)).min(1).max(40).optional(),
    person: z.string().min(1).max(255).optional(),
  })
  .refine(({ channels, person }) => (channels === undefined) !== (person === undefined), 'Must have either "channels" or "person".')

/**
 * Step of the escalation of a user's alerts. After its minutes without acknowledgement, its channels (email, Slack, …) or its user (by id)
 * are informed.
 */
export type EscalationStep = Readonly<z.infer<typeof escalationStep>>

const listIn = (settings: Json | undefined): Json | undefined => (isJsonObject(settings) ? settings['escalation'] : undefined)

/**
 * Returns the steps in a user's settings that apply to a severity, at most 5, sorted by minutes. Items that this version cannot read, such
 * as those of a newer one, are left out.
 */
export function stepsFor(settings: Json | undefined, severity: Severity): readonly EscalationStep[] {
  return readSteps(settings).filter((step) => step.severity === undefined || step.severity === severity)
}

function readSteps(settings: Json | undefined): readonly EscalationStep[] {
  const stored = listIn(settings)
  const items = (Array.isArray(stored) ? stored : []).slice(0, MOST_STEPS)
  return items.flatMap((item) => escalationStep.safeParse(item).data ?? []).toSorted((one, other) => one.minutes - other.minutes)
}

/** Returns true if two versions of a user's settings have different steps. */
export const isEscalationChange = (settings: Json | undefined, before: Json | undefined): boolean =>
  JSON.stringify(listIn(settings)) !== JSON.stringify(listIn(before))

/**
 * Returns why the escalation in a user's settings is invalid, in English. `undefined` if it is valid, absent or unchanged. Items that
 * `before` has, too, are accepted, since a newer version may have stored them. Minutes must ascend in a changed list.
 */
export function escalationProblem(settings: Json, before?: Json): string | undefined {
  const stored = listIn(settings)
  if (stored === undefined || stored === null || !isEscalationChange(settings, before)) return undefined
  if (!Array.isArray(stored)) return '"escalation" is wrong: Must be a list'
  if (stored.length > MOST_STEPS) return `"escalation" is wrong: Must have at most ${MOST_STEPS} items`
  return problemOfItems(stored, itemsIn(before))
}

function problemOfItems(stored: readonly Json[], accepted: ReadonlySet<string>): string | undefined {
  let last = 0
  for (const [index, item] of stored.entries()) {
    const { data, error } = escalationStep.safeParse(item)
    const [issue] = accepted.has(JSON.stringify(item)) ? [] : (error?.issues ?? [])
    if (issue !== undefined) return wrongItem([index, ...issue.path], issue.message)
    const minutes = data?.minutes ?? last + 1
    if (minutes <= last) return wrongItem([index, 'minutes'], 'Must be more than in the step before')
    last = minutes
  }
  return undefined
}

const wrongItem = (path: readonly PropertyKey[], message: string): string =>
  `"${['escalation', ...path].map(String).join('.')}" is wrong: ${message}`

const itemsIn = (settings: Json | undefined): ReadonlySet<string> => {
  const stored = listIn(settings)
  return new Set((Array.isArray(stored) ? stored : []).map((item) => JSON.stringify(item)))
}

/** Returns the ids of the users in those escalation steps of `settings` that are new or changed compared with the settings `before`. */
export function addedPersons(settings: Json | undefined, before?: Json): readonly string[] {
  const known = new Set(readSteps(before).map((step) => JSON.stringify(step)))
  return readSteps(settings).flatMap((step) => (step.person === undefined || known.has(JSON.stringify(step)) ? [] : [step.person]))
}
