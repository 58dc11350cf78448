import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 22: adds columns to containers: Compose project, number of restarts (-1 when unknown), and names of the fields whose value is
 * unknown.
 */
export async function addContainerProjects(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  // As in `createCollection`.
  const number = sql.raw(database === 'sqlite' ? 'numeric' : 'double precision')
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  await sql`alter table containers add column restarts ${number} not null default -1`.execute(transaction)
  for (const name of ['composeProject', 'unknownFields'])
    await sql`alter table containers add column ${sql.ref(name)} ${text} not null default ''`.execute(transaction)
}
