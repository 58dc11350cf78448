import { sql, type RawBuilder } from 'kysely'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'

/**
 * Lease of a system that this hub owns (polls): the system's id `system`, and `epoch`, a fencing number that grows with every new owner
 * hub.
 */
export type OwnLease = { readonly system: string; readonly epoch: number }

/**
 * Numbers of systems and leases in the database. A lease stores which hub owns a system. By these numbers a hub notices missing and unused
 * leases.
 */
export type LeaseCounts = {
  readonly systems: number
  readonly leases: number
  /**
   * Number of leases that this hub holds. A lease stores which hub owns (polls) a system, so it is the number of systems that this hub
   * polls.
   */
  readonly own: number
  /** Number of leases that living hubs hold, this hub included. A lease stores which hub owns a system. */
  readonly living: number
}

/**
 * Functions with which a hub reads and changes the PostgreSQL table `system_leases`, which stores the owner hub of each system. `claim`,
 * `inherit` and `handOver` change owners, each by one SQL statement.
 */
export type LeaseTable = {
  /** Makes this hub the owner of a system (by id), even if another hub owned it. Resolves to the epoch (fencing number) of the lease. */
  readonly claim: (system: string) => Promise<number>
  /**
   * Makes this hub the owner of those systems in `systems` (ids) that have no owner hub or whose owner hub is gone. Resolves to the leases
   * (system id and epoch) that this hub got.
   */
  readonly inherit: (systems: readonly string[]) => Promise<readonly OwnLease[]>
  /**
   * Makes hub `heir` the owner of those systems in `systems` (ids) that this hub owns. Resolves to the ids of the systems that were handed
   * over.
   */
  readonly handOver: (systems: readonly string[], heir: string) => Promise<readonly string[]>
  /**
   * Locks the lease rows (`for share`) of those `systems` (ids) that this hub owns, until the transaction ends. Resolves to these leases
   * (system id and epoch).
   */
  readonly lock: (unit: UnitOfWork, systems: readonly string[]) => Promise<readonly OwnLease[]>
  readonly own: () => Promise<readonly OwnLease[]>
  readonly counts: () => Promise<LeaseCounts>
  /** Resolves to the ids of the systems that have no owner hub, or whose owner hub is gone. */
  readonly ownerless: () => Promise<readonly string[]>
  /** Deletes the leases (which hub owns which system) of systems that no longer exist. */
  readonly deleteUnused: () => Promise<void>
  /** Resolves to the id of the hub that owns the system, even if that hub is gone. `undefined` when no hub has a lease for the system. */
  readonly ownerOf: (system: string) => Promise<string | undefined>
}

/**
 * Creates the functions with which hub `hub` (id) reads and changes the table of leases, which store the owner hub of each system.
 * `livingHubs` is an SQL subquery of the ids of living hubs. Rows are locked in the order of system ids to avoid deadlocks.
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
