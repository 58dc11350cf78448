import { sql as raw } from 'kysely'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../../platform/db/database.ts'
import type { Severity } from '../../judging/judgement.ts'
import { openStates, WORSE } from '../notice.ts'
import { stepsFor } from './escalation-steps.ts'

const MINUTE_MS = 60_000

/**
 * Progress of an incident's escalation. `unanswered`: time in epoch ms from which minutes count; `escalated`: minutes of the last step that
 * was carried out, null for none.
 */
type EscalationState = { readonly severity: string; readonly unanswered: number; readonly escalated: number | null }

/** Returns the time of the next escalation step by a user's settings, in epoch ms. Null if no step is left. */
function nextStepMs(settings: Json | undefined, { severity, unanswered, escalated }: EscalationState): number | null {
  const next = stepsFor(settings, severityIn(severity)).find(({ minutes }) => minutes > (escalated ?? 0))
  return next === undefined ? null : unanswered + next.minutes * MINUTE_MS
}

/** Parses the stored severity of an incident. Any text other than `warning` means `critical`. */
export const severityIn = (text: string): Severity => (text === 'warning' ? 'warning' : 'critical')

/**
 * Starts the escalation of incidents (by id) whose "fired" or `worse` was queued for sending at `nowMs` (epoch ms), from its first step. The
 * minutes of a snoozed one count from the end of the snooze. Ended and acknowledged ones have no escalation.
 */
export async function startEscalation({ sql }: UnitOfWork, incidents: readonly string[], settings: Json, nowMs: number): Promise<void> {
  const from = raw<number>`case when snoozed > ${nowMs} then snoozed else ${nowMs} end`
  for (const severity of ['warning', 'critical'] as const) {
    const delayMs = nextStepMs(settings, { severity, unanswered: 0, escalated: null })
    await sql
      .updateTable('incidents')
      .set({ unanswered: from, escalated: null, escalate: delayMs === null ? null : raw<number>`${from} + ${delayMs}` })
      .where('id', 'in', incidents)
      .where('severity', severity === 'warning' ? '=' : '<>', 'warning')
      .where('ended', 'is', null)
      .where((is) => is.or([is('acknowledged', 'is', null), is('snoozed', 'is not', null)]))
      .execute()
  }
}

/**
 * Stores new times of the next escalation step for a user's active incidents, after the steps in the settings changed. Incidents that are
 * acknowledged without a snooze, or that began without any steps, stay as they are.
 */
export async function rescheduleEscalation({ sql }: UnitOfWork, owner: string, settings: Json | undefined): Promise<void> {
  const rows = await sql
    .selectFrom('incidents')
    .select(['severity', 'unanswered', 'escalated'])
    .distinct()
    .where('owner', '=', owner)
    .where('ended', 'is', null)
    .where('unanswered', 'is not', null)
    .where(isNotRising)
    .execute()
  for (const { severity, unanswered, escalated } of rows) {
    if (unanswered === null) continue
    await sql
      .updateTable('incidents')
      .set({ escalate: nextStepMs(settings, { severity, unanswered, escalated }) })
      .where('owner', '=', owner)
      .where('ended', 'is', null)
      .where('severity', '=', severity)
      .where('unanswered', '=', unanswered)
      .where('escalated', escalated === null ? 'is' : '=', escalated)
      .where((is) => is.or([is('acknowledged', 'is', null), is('snoozed', 'is not', null)]))
      .where(isNotRising)
      .execute()
  }
}

/**
 * SQL condition on `incidents`: no notification that the warning became critical waits to be sent. That notification starts the escalation
 * again.
 */
const isNotRising = raw<boolean>`not exists (select 1 from notices as n where n.incident = incidents.id and n.transition = ${WORSE}
  and n.state in (${raw.join(openStates)}))`
