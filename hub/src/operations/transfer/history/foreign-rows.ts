import type { DatabaseSync } from 'node:sqlite'
import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { StatsRow } from './arrange-rows.ts'

const tables = { system: 'system_stats', containers: 'container_stats' } as const satisfies Readonly<Record<StoredKind, string>>

/**
 * All rows of one system in one history table of the imported hub. `system` is the value of the column `system`: mostly the system's id,
 * but untrusted, so any type.
 */
export type SystemRows = { readonly system: unknown; readonly rows: readonly StatsRow[] }

/**
 * Yields the imported hub's history rows of one kind (system, containers), one system at a time, to limit memory. A database without the
 * table has no rows.
 */
export function* rowsBySystem(database: DatabaseSync, kind: StoredKind): Generator<SystemRows> {
  const name = tables[kind]
  if (database.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(name) === undefined) return
  let last: { readonly system: unknown; readonly rows: StatsRow[] } | undefined
  // The table's index has this order; a table without it is sorted in a temporary file.
  const statement = database.prepare(`select system, type, created, stats from ${name} order by system, type, created`)
  // Whole numbers of 64 bits, where none belong, would be refused otherwise.
  statement.setReadBigInts(true)
  // Arrays are faster to read than objects.
  statement.setReturnArrays(true)
  for (const row of statement.iterate()) {
    const values: unknown = row
    const [system, type, created, stats] = values as readonly unknown[] // an array, because of `setReturnArrays`
    if (last === undefined || last.system !== system) {
      if (last !== undefined) yield last
      last = { system, rows: [] }
    }
    last.rows.push({ type, created, stats })
  }
  if (last !== undefined) yield last
}
