import { sql } from 'kysely'
import type { Database } from '../src/platform/db/database.ts'

/** Lets a server know what is in a table, as it would by itself minutes later; the embedded database needs none of it. */
export async function vacuumed({ name, kysely }: Database, table: string): Promise<void> {
  if (name === 'postgres') await sql`vacuum analyze ${sql.table(table)}`.execute(kysely)
}
