import { sql } from 'kysely'
import { ownValue } from '@vedette/protocol/own-value'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import { rewriteRows } from '../platform/db/many-rows.ts'
import type { Collection, Field } from '../records/model/collection.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import type { RecordTableStore } from '../records/engine/record-tables.ts'
import { textOf, type StoredRecord } from '../records/model/stored-record.ts'
import type { RecordChange } from '../records/engine/update-many.ts'

/** One thing a system has now, such as a container: what tells it from the system's others, and its row. */
export type CurrentRow = { readonly key: string; readonly values: RecordValues }

/** What a system says it has. With `isComplete` there is nothing else any more. */
export type CurrentRows = { readonly system: string; readonly rows: readonly CurrentRow[]; readonly isComplete: boolean }

export type RowKind = {
  readonly collection: Collection
  readonly keyOf: (row: StoredRecord) => string
  /**
   * Where all values are texts and numbers, each row says all of them, and what tells a row from others stands in one column
   * (empty for the id itself): that column. Such rows can be written without being read.
   */
  readonly keyColumn?: string
  /** The id for a new row; asked again with the next attempt while another system or key has it. */
  readonly newId: (system: string, key: string, attempt: number) => string
}

export type Writing = {
  readonly records: RecordTableStore
  readonly unit: UnitOfWork
  readonly database: Pick<Database, 'name' | 'dialect'>
  /** Whether somebody wants to be told of rows that change. */
  readonly wantsMeasured: (collection: string) => boolean
}

/** The rows that systems have now, by system. */
export async function loadCurrent(
  { records, unit }: Writing,
  { collection }: RowKind,
  systems: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredRecord[]>> {
  if (systems.length === 0) return new Map()
  return Map.groupBy(await records.loadReferring(collection, systemOf(collection), systems, unit), (row) => textOf(row, 'system'))
}

/** Brings rows of systems to what they say they have: one row a key, the last one said of two. */
export async function bringUpToDate(writing: Writing, kind: RowKind, said: readonly CurrentRows[]): Promise<void> {
  const { records, unit, wantsMeasured } = writing
  const { collection, keyOf, keyColumn } = kind
  if (keyColumn !== undefined && !wantsMeasured(collection.name)) return rewriteCurrent(writing, kind, keyColumn, said)
  const current = await loadCurrent(
    writing,
    kind,
    said.map(({ system }) => system),
  )
  const changes: RecordChange[] = []
  for (const { system, rows, isComplete } of said) {
    const stored = new Map((current.get(system) ?? []).map((row) => [keyOf(row), row]))
    for (const [key, values] of new Map(rows.map((row) => [row.key, row.values]))) {
      const previous = stored.get(key)
      stored.delete(key)
      if (previous !== undefined) changes.push({ previous, values })
      else await records.insert(unit, collection.name, { id: await freeId(writing, kind, { system, key }), system, ...values })
    }
    if (isComplete) for (const { id } of stored.values()) await records.remove(unit, collection.name, id)
  }
  await records.updateMany(unit, collection, changes, wantsMeasured(collection.name))
}

type Known = { readonly id: string; readonly system: string; readonly key: string }

/**
 * The same while nobody is told of rows that only change: what they were is not read, and all that is said of them is
 * written. Minute by minute that is nearly all there is to do.
 */
async function rewriteCurrent(writing: Writing, kind: RowKind, keyColumn: string, said: readonly CurrentRows[]): Promise<void> {
  const { records, unit, database } = writing
  const { name: table } = kind.collection
  const known = Map.groupBy(await loadKeys(writing, table, keyColumn, said), ({ system }) => system)
  const changed: { readonly id: string; readonly values: RecordValues }[] = []
  for (const { system, rows, isComplete } of said) {
    const stored = new Map((known.get(system) ?? []).map(({ id, key }) => [key === '' ? id : key, id]))
    for (const [key, values] of new Map(rows.map((row) => [row.key, row.values]))) {
      const id = stored.get(key)
      stored.delete(key)
      if (id !== undefined) changed.push({ id, values })
      else await records.insert(unit, table, { id: await freeId(writing, kind, { system, key }), system, ...values })
    }
    if (isComplete) for (const id of stored.values()) await records.remove(unit, table, id)
  }
  const columns = Object.keys(changed[0]?.values ?? {})
  const rows = changed.map(({ id, values }) => [id, ...columns.map((column) => plain(ownValue(values, column)))])
  if (rows.length > 0) await rewriteRows(unit.sql, database.name, { table, columns: ['id', ...columns], rows })
}

async function loadKeys(
  { unit, database }: Writing,
  table: string,
  keyColumn: string,
  said: readonly CurrentRows[],
): Promise<readonly Known[]> {
  const systems = database.dialect.elements(sql`${JSON.stringify(said.map(({ system }) => system))}`, 'e')
  const { rows } = await sql<Known>`select r.id, r.system, r.${sql.ref(keyColumn)} as key from ${sql.table(table)} as r
    where r.system in (select e.value from ${systems}) order by r.seq`.execute(unit.sql)
  return rows
}

/** A text or a number, as these rows have. */
function plain(value: RecordValues[string] | undefined): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`Cannot store a value of type ${typeof value} in a row of many`)
}

async function freeId({ records, unit }: Writing, { collection, newId }: RowKind, { system, key }: { system: string; key: string }) {
  for (let attempt = 0; ; attempt++) {
    const id = newId(system, key, attempt)
    const taken = await records.load(collection.name, id, unit)
    if (taken === undefined) return id
    // A row whose system was deleted belongs to nobody.
    if (taken['system'] !== '') continue
    await records.remove(unit, collection.name, id)
    return id
  }
}

function systemOf({ name, fields }: Collection): Field {
  const field = fields.find((one) => one.name === 'system')
  if (field === undefined) throw new RangeError(`Cannot find rows of systems in "${name}": it has no field "system"`)
  return field
}
