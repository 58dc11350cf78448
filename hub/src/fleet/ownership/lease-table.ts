import { sql, type RawBuilder } from 'kysely'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'

/** Lease that this hub holds for a system. */
export type OwnLease = { readonly system: string; readonly epoch: number }

/** Numbers of rows in the tables of systems and leases. They show whether leases are missing or left over. */
export type LeaseCounts = {
  readonly systems: number
  readonly leases: number
  /** Number of leases that this hub holds. */
  readonly own: number
  /** Number of leases that any living hub holds. */
  readonly living: number
}

/** Table `system_leases` in PostgreSQL, as one hub uses it. Each change is one statement that follows `lease-rules.ts`. */
export type LeaseTable = {
  /** Takes the system's lease for this hub, even from another hub. Returns the lease's epoch. */
  readonly claim: (system: string) => Promise<number>
  /** Takes the leases of those systems that have no living owner. Returns the leases that this hub got. */
  readonly inherit: (systems: readonly string[]) => Promise<readonly OwnLease[]>
  /** Gives this hub's leases of the systems to hub `heir`. Returns the ids of the systems that moved. */
  readonly handOver: (systems: readonly string[], heir: string) => Promise<readonly string[]>
  /** Locks this hub's leases of the systems (`for share`) until the transaction ends. Returns the locked leases. */
  readonly lock: (unit: UnitOfWork, systems: readonly string[]) => Promise<readonly OwnLease[]>
  readonly own: () => Promise<readonly OwnLease[]>
  readonly counts: () => Promise<LeaseCounts>
  /** Returns the ids of the systems that no living hub owns. */
  readonly ownerless: () => Promise<readonly string[]>
  /** Deletes the leases of deleted systems. */
  readonly deleteUnused: () => Promise<void>
  /** Returns the id of the hub that holds the system's lease, living or not. `undefined` when there is no lease. */
  readonly ownerOf: (system: string) => Promise<string | undefined>
}

/**
 * Creates the access to the leases for one hub. `livingHubs` is a subquery of the ids of living hubs. Rows are locked in the order of
 * system ids to avoid deadlocks.
 */
export function leaseTable({ kysely }: Database, hub: string, livingHubs: RawBuilder<string>): LeaseTable {
  return {
    async claim(system) {
      const { rows } = await sql<OwnLease>`insert into system_leases as lease (system, hub, epoch) values (${system}, ${hub}, 1)
        on conflict (system) do update set hub = excluded.hub, epoch = lease.epoch + (case when lease.hub = excluded.hub then 0 else 1 end)
        returning system, epoch`.execute(kysely)
      return rows[0]?.epoch ?? 1
    },

    async inherit(systems) {
      const { rows } = await sql<OwnLease>`insert into system_leases as lease (system, hub, epoch)
        select system, ${hub}, 1 from unnest(${systems}::text[]) as wanted (system) order by system collate "C"
        on conflict (system) do update set hub = excluded.hub, epoch = lease.epoch + 1
        where lease.hub <> excluded.hub and lease.hub not in ${livingHubs}
        returning system, epoch`.execute(kysely)
      return rows
    },

    async handOver(systems, heir) {
      const { rows } = await sql<{ system: string }>`with locked as materialized (
          select system from system_leases where system = any(${systems}::text[]) and hub = ${hub} order by system for update)
        update system_leases as lease set hub = ${heir}, epoch = epoch + 1 from locked where lease.system = locked.system
        returning lease.system`.execute(kysely)
      return rows.map(({ system }) => system)
    },

    async lock(unit, systems) {
      const { rows } = await sql<OwnLease>`select system, epoch from system_leases
        where system = any(${systems}::text[]) and hub = ${hub} order by system for share`.execute(unit.sql)
      return rows
    },

    own: () => kysely.selectFrom('system_leases').select(['system', 'epoch']).where('hub', '=', hub).execute(),

    async counts() {
      const { rows } = await sql<LeaseCounts>`select (select count(*) from systems) as systems, count(*) as leases,
        count(*) filter (where hub = ${hub}) as own, count(*) filter (where hub in ${livingHubs}) as living from system_leases`.execute(
        kysely,
      )
      return rows[0] ?? { systems: 0, leases: 0, own: 0, living: 0 }
    },

    async ownerless() {
      const { rows } = await sql<{
        id: string
      }>`select systems.id from systems left join system_leases as lease on lease.system = systems.id
        where lease.hub is null or lease.hub not in ${livingHubs}`.execute(kysely)
      return rows.map(({ id }) => id)
    },

    async deleteUnused() {
      await sql`delete from system_leases where not exists (select 1 from systems where id = system)`.execute(kysely)
    },

    async ownerOf(system) {
      const row = await kysely.selectFrom('system_leases').select('hub').where('system', '=', system).executeTakeFirst()
      return row?.hub
    },
  }
}
