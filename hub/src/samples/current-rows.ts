import { sql } from 'kysely'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import type { RecordTableStore } from '../records/engine/record-tables.ts'
import type { RecordChange } from '../records/engine/record-tables.ts'
import type { Collection } from '../records/model/collection.ts'
import type { RecordValues } from '../records/model/record-store.ts'

/** An item that a system has now, such as a container. `key` is unique within the system; `values` has all values of its row. */
export type CurrentRow = { readonly key: string; readonly values: RecordValues }

/** The current rows of a system's report. With `isComplete` its other rows are removed. */
export type CurrentRows = { readonly system: string; readonly rows: readonly CurrentRow[]; readonly isComplete: boolean }

export type RowKind = {
  readonly collection: Collection
  /** Column of the row's key; empty when the id is the key. */
  readonly keyColumn: string
  /** Returns the id for a new row. Called again with the next `attempt` while another system or key has that id. */
  readonly newId: (system: string, key: string, attempt: number) => string
}

export type Writing = {
  readonly records: RecordTableStore
  readonly unit: UnitOfWork
  readonly dialect: Database['dialect']
}

type StoredKey = { readonly id: string; readonly system: string; readonly key: string }

/**
 * Updates the rows of systems to their reports: one row for each key, and the last one wins. Rows are written without a read, because
 * each report has all values of a row.
 */
export async function storeCurrentRows(writing: Writing, kind: RowKind, reports: readonly CurrentRows[]): Promise<void> {
  const { records, unit } = writing
  const { name: table } = kind.collection
  const stored = Map.groupBy(await loadKeys(writing, kind, reports), ({ system }) => system)
  const changes: RecordChange[] = []
  for (const { system, rows, isComplete } of reports) {
    const known = new Map((stored.get(system) ?? []).map((row) => [row.key === '' ? row.id : row.key, row]))
    for (const [key, values] of new Map(rows.map((row) => [row.key, row.values]))) {
      const row = known.get(key)
      known.delete(key)
      if (row !== undefined) changes.push({ before: { id: row.id, system, [kind.keyColumn]: row.key }, isPartial: true, values })
      else await records.insert(unit, table, { id: await freeId(writing, kind, { system, key }), system, ...values })
    }
    if (isComplete) for (const { id } of known.values()) await records.remove(unit, table, id)
  }
  await records.updateMany(unit, kind.collection, changes)
}

async function loadKeys(
  { unit, dialect }: Writing,
  { collection, keyColumn }: RowKind,
  reports: readonly CurrentRows[],
): Promise<readonly StoredKey[]> {
  if (reports.length === 0) return []
  const systems = dialect.elements(sql`${JSON.stringify(reports.map(({ system }) => system))}`, 'e')
  const { rows } = await sql<StoredKey>`select r.id, r.system, r.${sql.ref(keyColumn)} as key from ${sql.table(collection.name)} as r
    where r.system in (select e.value from ${systems}) order by r.seq`.execute(unit.sql)
  return rows
}

async function freeId({ records, unit }: Writing, { collection, newId }: RowKind, { system, key }: { system: string; key: string }) {
  for (let attempt = 0; ; attempt++) {
    const id = newId(system, key, attempt)
    const taken = await records.load(collection.name, id, unit)
    if (taken === undefined) return id
    // The row's system was deleted, so its id is free.
    if (taken['system'] !== '') continue
    await records.remove(unit, collection.name, id)
    return id
  }
}
