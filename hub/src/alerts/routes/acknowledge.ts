import { z } from 'zod'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { fields } from '../../http/routing/field-schemas.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { notFound, RecordError } from '../../records/model/record-error.ts'
import { textOf } from '../../records/model/stored-record.ts'
import { acknowledgeIncident, type Acknowledgement } from '../incidents/acknowledgement.ts'
import { loadAccessibleIncident } from '../incidents/incident-access.ts'
import { dropRepeats } from '../notifications/reminders.ts'

/** Maximum length of the note with which a user acknowledges an alert, in characters: 500. A longer note is rejected. */
const LONGEST_NOTE = 500
/** Minimum number of minutes of a snooze of an alert: 5. A smaller number is rejected; the maximum is 10,080 (7 days). */
const SHORTEST_SNOOZE = 5
const LONGEST_SNOOZE = 7 * 1440

const SNOOZE = `Must be a whole number from ${SHORTEST_SNOOZE} to ${LONGEST_SNOOZE}.`

/**
 * Regular expression for characters that the name and note of an acknowledgement must not contain: control characters, line separators, and
 * controls of the text direction. They could hide ` (by link)` after the name.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/**
 * Extends the given schema of a name or note: it then also rejects control characters, line separators and controls of the text direction.
 */
export const safeText = (schema: z.ZodString) => schema.refine((text) => !UNSAFE.test(text), 'Must not contain control characters.')

/**
 * Schemas of two fields of a request. `note`: at most 500 characters, `''` if absent. `snoozeMinutes`: 5 to 10,080 (7 days); absent means
 * no snooze.
 */
export const acknowledgementFields = {
  note: safeText(z.string().trim().max(LONGEST_NOTE, `Must be at most ${LONGEST_NOTE} characters.`)).default(''),
  snoozeMinutes: z.int(SNOOZE).min(SHORTEST_SNOOZE, SNOOZE).max(LONGEST_SNOOZE, SNOOZE).optional(),
}

export const alertIsOver = (): RecordError => new RecordError(409, 'The alert is over.')

/** Incident (`id`) and the user (`person`, a user id) with whose access it is acknowledged. */
type AcknowledgedIncident = { readonly id: string; readonly person: string }

/**
 * Acknowledges or snoozes an incident for a person, and drops its unsent reminders and escalations, in one transaction. Resolves to
 * `stored`, `over` if the incident has ended, or `refused` if the person may not acknowledge it; nothing is stored then.
 */
export function acknowledgeFor(
  engine: Engine,
  which: AcknowledgedIncident,
  acknowledgement: Acknowledgement,
): Promise<'stored' | 'over' | 'refused'> {
  return engine.database.write(async (unit) => {
    // The notifier changes the same rows in another order.
    await unit.alone('notices')
    const incident = await loadAccessibleIncident(engine, which, unit)
    if (incident === undefined) return 'refused'
    if (incident.ended !== null) return 'over'
    await dropRepeats(unit, [incident.id])
    return (await acknowledgeIncident(unit, incident, acknowledgement, engine.clock.now())) ? 'stored' : 'over'
  })
}

export const acknowledge = defineRoute('POST /api/vedette/incidents/:incident/acknowledge', {
  tag: 'alerts',
  summary:
    "Acknowledges an incident of the caller's own alerts, or one that was escalated to the caller. This ends its reminders and its escalation; `snoozeMinutes` only delays them",
  access: { door: 'signed in', decidedBy: 'the owner and the escalation of the incident, and the view rule of systems' },
  keys: 'write',
  body: fields(z.object(acknowledgementFields)),
  invalid: 'Failed to acknowledge the alert.',
  response: 'nothing',
  async handle({ c, actor, params, body }, { engine, access }: { readonly engine: Engine; readonly access: Access }) {
    const which = { id: params.incident, person: actor.id }
    const incident = await loadAccessibleIncident(engine, which)
    if (incident === undefined) throw notFound()
    // An API key may be limited to some systems.
    await access.viewable(factsOf(c), 'systems', incident.system)
    const { note, snoozeMinutes } = await body()
    const by = textOf(actor, 'name') || textOf(actor, 'email')
    const result = await acknowledgeFor(engine, which, { by, note, snoozeMinutes })
    if (result === 'refused') throw notFound()
    if (result === 'over') throw alertIsOver()
  },
})
