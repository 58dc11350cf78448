import { sql } from 'kysely'
import { z } from 'zod'
import { databaseNow } from '../../platform/db/postgres/database-clock.ts'
import { DRAINED_BY_ADMIN, DRAINED_BY_CLOCK, type Membership } from '../../platform/cluster/membership.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { HubLoadTable } from '../../platform/db/schema.ts'

/** Schema of one hub in the list of hubs that share a database. Times are epoch ms by the database's clock. */
export const listedHub = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  startedAtMs: z.number(),
  /** Time since this hub of the list last renewed its row in the table `hubs`, in ms. A hub counts as stopped after 6 s. */
  silentMs: z.number(),
  isDraining: z.boolean(),
  /**
   * True while this hub of the list is drained (its systems are given to other hubs) because its clock differs by over a minute from the
   * database's.
   */
  isClockWrong: z.boolean(),
  /** True for the entry of that hub which answers the request for the list of hubs. */
  isThis: z.boolean(),
  /** Number of systems that this hub, an entry in the list of hubs that share a database, owns and polls. */
  systems: z.number(),
  /** CPU use (percent of one core), memory (bytes) and event loop delay (ms) of this hub of the list. Null before the first measurement. */
  load: z.object({ cpuPercent: z.number(), residentBytes: z.number(), loopLateMs: z.number() }).nullable(),
})
export type ListedHub = z.infer<typeof listedHub>

export type HubList = {
  /**
   * Function that resolves to the list of all hubs that share the database, sorted by name, with their load and number of systems. It is
   * empty for a hub that shares no database.
   */
  readonly load: () => Promise<readonly ListedHub[]>
  /** Returns true when this hub is drained (gives its systems to other hubs) and another hub can take them. */
  readonly isDrained: () => boolean
  /**
   * Starts to drain a hub, which then gives its systems to other hubs, or ends the drain. Resolves to the hub's name; `undefined` when no
   * hub has this id.
   */
  readonly setDraining: (unit: UnitOfWork, id: string, isDraining: boolean) => Promise<string | undefined>
}

type Row = { id: string; name: string; version: string; started: number; silent: number; draining: number; systems: number } & {
  [sign in 'cpuPercent' | 'residentBytes' | 'loopLateMs']: number | null
}

export function hubListOf(database: Database, membership: Pick<Membership, 'id' | 'living'> | undefined): HubList {
  return {
    async load() {
      if (membership === undefined) return []
      const { rows } = await sql<Row>`select h.id, h.name, h.version, h.started_at as started, ${databaseNow} - h.seen_at as silent,
          h.draining, (select count(*) from system_leases s where s.hub = h.id) as systems, l."cpuPercent", l."residentBytes", l."loopLateMs"
        from hubs h left join hub_loads l on l.hub = h.id order by h.name`.execute(database.kysely)
      return rows.map((row) => listed(row, membership.id))
    },
    isDrained() {
      const living = membership?.living() ?? []
      return living.some(({ id, isDraining }) => id === membership?.id && isDraining) && living.some(({ isDraining }) => !isDraining)
    },
    async setDraining({ sql: transaction }, id, isDraining) {
      const changed = await transaction
        .updateTable('hubs')
        .set({ draining: isDraining ? DRAINED_BY_ADMIN : 0 })
        .where('id', '=', id)
        .returning('name')
        .executeTakeFirst()
      return changed?.name
    },
  }
}

function listed({ id, name, version, started, silent, draining, systems, ...load }: Row, self: string): ListedHub {
  const { cpuPercent, residentBytes, loopLateMs } = load
  const isMeasured = cpuPercent !== null && residentBytes !== null && loopLateMs !== null
  return {
    id,
    name,
    version,
    startedAtMs: started,
    silentMs: Math.max(0, silent),
    isDraining: draining !== 0,
    isClockWrong: draining === DRAINED_BY_CLOCK,
    isThis: id === self,
    systems,
    load: isMeasured ? { cpuPercent, residentBytes, loopLateMs } : null,
  }
}

/**
 * Stores the current load (CPU, memory, event loop delay) of a hub that shares the database with others. Deletes the load of hubs that are
 * no longer registered.
 */
export async function saveLoad({ kysely }: Database, { hub, at, cpuPercent, residentBytes, loopLateMs }: HubLoadTable): Promise<void> {
  const values = { at, cpuPercent, residentBytes, loopLateMs }
  await kysely
    .insertInto('hub_loads')
    .values({ hub, ...values })
    .onConflict((conflict) => conflict.column('hub').doUpdateSet(values))
    .execute()
  await sql`delete from hub_loads where hub not in (select id from hubs)`.execute(kysely)
}
