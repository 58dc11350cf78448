import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/** Migration 20: adds limits of containers: `memoryLimit` in MiB and `cpuLimit` in CPUs, 0 without a limit. */
export async function addContainerLimits(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  // As in `createCollection`.
  const number = sql.raw(database === 'sqlite' ? 'numeric' : 'double precision')
  for (const name of ['memoryLimit', 'cpuLimit'])
    await sql`alter table containers add column ${sql.ref(name)} ${number} not null default 0`.execute(transaction)
}
