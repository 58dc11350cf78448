import { sql } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'

/** Time window, in ms (90 s). Systems of one user that become unreachable within this time of each other count as one outage. */
const OUTAGE_WINDOW_MS = 90_000
/**
 * Minimum number of systems of one user that must go down within 90 s to count as one outage: 3. Their notifications are then combined into
 * one message.
 */
export const OUTAGE_SYSTEMS = 3
/** Time in ms (10 s) that the notifications of an outage wait after the last of its `down` alerts is due. They then become one message. */
const NOTICED_WITHIN_MS = 10_000

/**
 * Resolves to the time, in epoch ms, when the notification that a system is down is to be sent: `nowMs`. If at least 3 systems of the user,
 * this one included, go down within 90 s of `sinceMs`, it is up to 100 s later.
 */
export async function downDueMs(
  { sql: transaction }: UnitOfWork,
  { owner, sinceMs, nowMs }: { readonly owner: string; readonly sinceMs: number; readonly nowMs: number },
): Promise<number> {
  const { rows } = await sql<{ fallen: number; due: number | null }>`
    select count(*) as fallen, max(s.due) as due from alert_states as s join alerts as a on a.id = s.alert
    where a."user" = ${owner} and a.name = 'Status' and s.since between ${sinceMs - OUTAGE_WINDOW_MS} and ${sinceMs + OUTAGE_WINDOW_MS}`.execute(
    transaction,
  )
  const [{ fallen, due } = { fallen: 0, due: null }] = rows
  if (fallen < OUTAGE_SYSTEMS) return nowMs
  const waiting = await transaction
    .selectFrom('notices')
    .select(({ fn }) => fn.max<number | null>('due').as('due'))
    .where('owner', '=', owner)
    .where('state', '=', 'new')
    .executeTakeFirstOrThrow()
  const lastMs = due === null || due <= nowMs ? nowMs : due + NOTICED_WITHIN_MS
  return Math.min(Math.max(lastMs, waiting.due ?? nowMs), nowMs + OUTAGE_WINDOW_MS + NOTICED_WITHIN_MS)
}
