import { sql as raw } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { noteIncidentChange } from './incident-access.ts'

/** Acknowledgement of an incident: name of the person who gives it, and a note (`''` for none). */
export type Acknowledgement = {
  readonly by: string
  readonly note: string
  /**
   * Number of minutes of a snooze: if the alert still fires then, its reminders and escalation continue. `undefined`: they end for good.
   */
  readonly snoozeMinutes: number | undefined
}

/** Incident (firing period of an alert) of a user, by their ids. */
type OwnIncident = { readonly id: string; readonly owner: string }

const MINUTE_MS = 60_000

/**
 * Stores the acknowledgement of a user's incident, which ends its reminders and its escalation, or snoozes it. A later one replaces it.
 * Resolves to false, and stores nothing, if the incident has ended or the user has none with this id.
 */
export async function acknowledgeIncident(
  unit: UnitOfWork,
  { id, owner }: OwnIncident,
  { by, note, snoozeMinutes }: Acknowledgement,
  nowMs: number,
): Promise<boolean> {
  const until = snoozeMinutes === undefined ? null : nowMs + snoozeMinutes * MINUTE_MS
  const { numUpdatedRows } = await unit.sql
    .updateTable('incidents')
    .set({ acknowledged: nowMs, acknowledger: by, note, snoozed: until, remind: until, ...stepsAfter(until, nowMs) })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('ended', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) noteIncidentChange(unit, id)
  return numUpdatedRows > 0n
}

/**
 * Returns the columns of an acknowledged incident to update (SQL expressions), which delay its escalation. The remaining time to the next
 * step counts from `until`, the end of a snooze (epoch ms). Null, for no snooze, ends the escalation.
 */
function stepsAfter(until: number | null, nowMs: number) {
  if (until === null) return { escalate: null }
  const delayMs = raw<number>`(${until} - case when snoozed > ${nowMs} then snoozed else ${nowMs} end)`
  // An acknowledgement before may have ended the escalation; the step itself is checked again when it is due.
  const next = raw<number>`case when unanswered is null then null else coalesce(escalate, ${nowMs}) + ${delayMs} end`
  return { unanswered: raw<number>`unanswered + ${delayMs}`, escalate: next }
}
