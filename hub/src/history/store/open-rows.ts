import { sql } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/many-rows.ts'
import type { NewSample, OpenEnd, OpenSample } from './open-end.ts'

/**
 * The open samples on PostgreSQL, where several hubs write. A sample is added while its system's row is locked for share, and hours are
 * sealed while it is locked for update. So a sample is never added to an hour that is sealed, and hubs wait for each other only at one system.
 */
export const openEndInTable: OpenEnd = {
  load: async () => {},
  async add(unit, samples) {
    const sealed = await lockSealed(unit, [...new Set(samples.map(({ system }) => system))])
    const late = new Set<NewSample>()
    const rows: (readonly [number, number, Uint8Array])[] = []
    for (const sample of samples)
      if (sample.at < (sealed.get(sample.system) ?? 0)) late.add(sample)
      else rows.push([sample.system, sample.at, sample.data])
    await insertRows(unit.sql, 'postgres', { table: 'history_open', columns: ['system', 'at', 'data'], rows, returning: [] })
    return late
  },
  async earliest(kysely, system) {
    const row = await kysely
      .selectFrom('history_open')
      .select(({ fn }) => fn.min('at').as('at'))
      .where('system', '=', system)
      .executeTakeFirst()
    return row?.at ?? undefined
  },
  async read(kysely, system, window) {
    return (await openEndInTable.readMany(kysely, [system], window)).get(system) ?? []
  },
  async readMany(kysely, systems, { fromMs, toMs }) {
    const { rows } = await sql<OpenSample>`select id, system, at, data from history_open
      where system = any(${systems}::int[]) and at >= ${fromMs} and at < ${toMs} order by id`.execute(kysely)
    return Map.groupBy(rows, ({ system }) => system)
  },
  async remove(unit, system, beforeMs) {
    await unit.sql.deleteFrom('history_open').where('system', '=', system).where('at', '<', beforeMs).execute()
  },
  forget: () => {},
  trim: async () => false,
}

/** Locks the systems until the transaction ends. Returns the time up to which each is sealed. In one order, so that no two hubs deadlock. */
async function lockSealed(unit: UnitOfWork, systems: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ no: number; sealed: number }>`select no, sealed from history_systems
    where no = any(${systems}::int[]) order by no for share`.execute(unit.sql)
  return new Map(rows.map(({ no, sealed }) => [no, sealed]))
}
