import { sql, type RawBuilder } from 'kysely'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'

/** A lease of this hub. */
export type OwnLease = { readonly system: string; readonly epoch: number }

/** Numbers of rows that show whether leases and systems fit together. */
export type LeaseCounts = {
  readonly systems: number
  readonly leases: number
  /** Leases of this hub. */
  readonly own: number
  /** Leases of living hubs. */
  readonly living: number
}

/** The leases of systems in PostgreSQL, for one hub. Each change is one statement with the decision of `lease-rules.ts`. */
export type LeaseTable = {
  /** See `claimed`. Returns the epoch. */
  readonly claim: (system: string) => Promise<number>
  /** See `inherited`. Returns the leases that this hub got. */
  readonly inherit: (systems: readonly string[]) => Promise<readonly OwnLease[]>
  /** See `handedOver`. Returns the systems that this hub gave away. */
  readonly handOver: (systems: readonly string[], heir: string) => Promise<readonly string[]>
  /** Locks the leases until the transaction ends. Returns those of this hub. */
  readonly lock: (unit: UnitOfWork, systems: readonly string[]) => Promise<readonly OwnLease[]>
  readonly own: () => Promise<readonly OwnLease[]>
  readonly counts: () => Promise<LeaseCounts>
  /** Systems without a living owner. */
  readonly ownerless: () => Promise<readonly string[]>
  /** Deletes the leases of deleted systems. */
  readonly deleteUnused: () => Promise<void>
  /** Id of the hub that owns the system, living or not. */
  readonly ownerOf: (system: string) => Promise<string | undefined>
}

/** `livingHubs`: a subquery of the ids of living hubs. Rows are locked in the order of their systems, so that no two hubs wait for each other. */
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
