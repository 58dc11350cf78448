import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 8: adds the audit log. Database triggers refuse to change or delete its rows. */
export async function addAuditLog(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const sqlite = database === 'sqlite'
  const text = sql.raw(sqlite ? 'text' : 'text collate "C"')
  const number = sql.raw(sqlite ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key')
  await sql`create table audit_log (
    no ${number}, at bigint not null, actor ${text} not null, "actorName" ${text} not null, action ${text} not null,
    target ${text} not null, "targetId" ${text} not null, "targetName" ${text} not null, changes ${text} not null)`.execute(transaction)
  for (const statement of sqlite ? sqliteTriggers : postgresTriggers) await sql.raw(statement).execute(transaction)
}

const sqliteTriggers: readonly string[] = ['update', 'delete'].map(
  (action) =>
    `create trigger audit_log_no_${action} before ${action} on audit_log begin select raise(abort, 'the audit log is only added to'); end`,
)

const postgresTriggers: readonly string[] = [
  `create function audit_log_only_added() returns trigger language plpgsql as $$
   begin raise exception 'the audit log is only added to'; end $$`,
  `create trigger audit_log_no_change before update or delete on audit_log for each row execute function audit_log_only_added()`,
  `create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function audit_log_only_added()`,
]
