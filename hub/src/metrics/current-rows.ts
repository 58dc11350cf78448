import type { UnitOfWork } from '../db/database.ts'
import type { Collection, Field } from '../records/collection.ts'
import type { RecordValues } from '../records/record-store.ts'
import type { RecordTableStore } from '../records/record-tables.ts'
import { textOf, type StoredRecord } from '../records/stored-record.ts'
import type { RecordChange } from '../records/update-many.ts'

/** One thing a system has now, such as a container: what tells it from the system's others, and its row. */
export type CurrentRow = { readonly key: string; readonly values: RecordValues }

/** What a system says it has. With `isComplete` there is nothing else any more. */
export type CurrentRows = { readonly system: string; readonly rows: readonly CurrentRow[]; readonly isComplete: boolean }

export type RowKind = {
  readonly collection: Collection
  readonly keyOf: (row: StoredRecord) => string
  /** The id for a new row; asked again with the next attempt while another system or key has it. */
  readonly newId: (system: string, key: string, attempt: number) => string
}

export type Writing = {
  readonly records: RecordTableStore
  readonly unit: UnitOfWork
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
  const { collection, keyOf } = kind
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
