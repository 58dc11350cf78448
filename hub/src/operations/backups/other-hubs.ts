import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isLiving } from '../../platform/db/postgres/living-hubs.ts'
import { BackupRefusedError } from './archive/backup-error.ts'

/**
 * Rejects with {@link BackupRefusedError} when another hub runs on the PostgreSQL database, because its cached data would overwrite
 * restored tables. `hub` is this hub's name; `undefined`, on the command line, allows one running hub. Does nothing on SQLite.
 */
export async function refuseBesideHubs({ name, kysely }: Database, hub: string | undefined): Promise<void> {
  if (name === 'sqlite') return
  const { rows } = await sql<{ name: string }>`select name from hubs where ${isLiving()} order by name`.execute(kysely)
  const others = rows.filter((row) => row.name !== hub)
  if (others.length > (hub === undefined ? 1 : 0)) throw besideHubs(others.map((row) => row.name))
}

export const besideHubs = (names: readonly string[]): BackupRefusedError =>
  new BackupRefusedError(`Cannot restore while other hubs run: stop all hubs but one, and try again (running: ${names.join(', ')})`)
