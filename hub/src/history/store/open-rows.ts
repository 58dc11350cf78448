import { CompiledQuery, sql } from 'kysely'
import { arraysOf } from '../../platform/db/many-rows.ts'
import type { OpenEnd, OpenSample } from './open-end.ts'

/**
 * Storage of uncompressed samples for PostgreSQL, where several hubs write. Adding a sample locks its system's row for share, compressing
 * an hour locks it for update. So no sample is added to a compressed hour, and hubs wait for each other only at one system.
 */
export const openEndInTable: OpenEnd = {
  load: async () => {},
  async add(unit, samples) {
    if (samples.length === 0) return new Set()
    const { source, parameters } = arraysOf(samples.map(({ system, at, data }, place) => [system, at, data, place]))
    const { rows } = await unit.sql.executeQuery<{ place: number }>(CompiledQuery.raw(adding(source), parameters))
    return new Set(rows.flatMap(({ place }) => samples[place] ?? []))
  },
  async earliest(kysely, systems) {
    // One index lookup for each system, however many samples it has.
    const { rows } = await sql<{ system: number; at: number | null }>`select system, (select min(at) from history_open as o
      where o.system = given.system) as at from unnest(${systems}::int[]) as given (system)`.execute(kysely)
    return new Map(rows.flatMap(({ system, at }) => (at === null ? [] : [[system, at]])))
  },
  async read(kysely, system, window) {
    return (await openEndInTable.readMany(kysely, [system], window)).get(system) ?? []
  },
  async readMany(kysely, systems, { fromMs, toMs }) {
    const { rows } = await sql<OpenSample>`select id, system, at, data from history_open
      where system = any(${systems}::int[]) and at >= ${fromMs} and at < ${toMs} order by id`.execute(kysely)
    return Map.groupBy(rows, ({ system }) => system)
  },
  async take(unit, system, { fromMs, toMs }) {
    const { rows } = await sql<OpenSample>`delete from history_open where system = ${system} and at >= ${fromMs} and at < ${toMs}
      returning id, system, at, data`.execute(unit.sql)
    return rows.toSorted((one, other) => one.id - other.id)
  },
  async remove(unit, system, beforeMs) {
    await unit.sql.deleteFrom('history_open').where('system', '=', system).where('at', '<', beforeMs).execute()
  },
  forget: () => {},
  trim: async () => false,
}

/**
 * Returns the SQL statement that inserts samples from `source` (SQL of a row source), except those whose hour is compressed already. It
 * selects the `place` (index in the list) of each sample that was not inserted. It locks the systems' rows in a fixed order against
 * deadlocks.
 */
const adding = (source: string): string => `
  with given as materialized (select * from ${source} as given (system, at, data, place)),
  locked as materialized (
    select no, sealed from history_systems where no in (select system::int from given) order by no for share),
  added as (
    insert into history_open (system, at, data)
    select system, at, data from given join locked on no = system where at >= sealed order by place)
  select place from given join locked on no = system where at < sealed`
