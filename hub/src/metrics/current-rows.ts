import type { UnitOfWork } from '../db/database.ts'
import type { RecordStore, RecordValues } from '../records/record-store.ts'
import type { StoredRecord } from '../records/stored-record.ts'

/** One thing a system has now, such as a container: what tells it from the system's others, and its row. */
export type CurrentRow = { readonly key: string; readonly values: RecordValues }

type CurrentRows = {
  readonly records: RecordStore
  readonly unit: UnitOfWork
  readonly collection: string
  readonly system: string
  readonly keyOf: (row: StoredRecord) => string
  /** The id for a new row; asked again with the next attempt while another system or key has it. */
  readonly newId: (key: string, attempt: number) => string
}

/**
 * Brings a system's rows to what it says it has: one row a key, the last one said of two. With `isComplete` rows of what is
 * no longer there go.
 */
export async function bringUpToDate(
  { records, unit, collection, system, keyOf, newId }: CurrentRows,
  rows: readonly CurrentRow[],
  isComplete: boolean,
): Promise<void> {
  const stored = new Map((await records.loadWhere(collection, { system }, unit)).map((row) => [keyOf(row), row.id]))
  for (const [key, values] of new Map(rows.map((row) => [row.key, row.values]))) {
    const id = stored.get(key)
    stored.delete(key)
    if (id === undefined) await records.insert(unit, collection, { id: await freeId(key), system, ...values })
    else await records.update(unit, collection, id, values)
  }
  if (isComplete) for (const id of stored.values()) await records.remove(unit, collection, id)

  async function freeId(key: string): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const id = newId(key, attempt)
      const taken = await records.load(collection, id, unit)
      if (taken === undefined) return id
      // A row whose system was deleted belongs to nobody.
      if (taken['system'] !== '') continue
      await records.remove(unit, collection, id)
      return id
    }
  }
}
