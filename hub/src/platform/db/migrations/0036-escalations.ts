import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 36: adds columns to the table of incidents for their escalation: the time from which the minutes of steps count, the time of
 * the next step, and the minutes of the last step that was carried out.
 */
export async function addEscalations(transaction: Transaction<Tables>): Promise<void> {
  for (const statement of [
    sql`alter table incidents add column unanswered bigint`,
    sql`alter table incidents add column escalate bigint`,
    sql`alter table incidents add column escalated integer`,
    sql`create index incidents_escalate on incidents (escalate) where escalate is not null`,
  ])
    await statement.execute(transaction)
}
