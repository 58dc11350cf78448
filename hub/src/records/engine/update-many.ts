import { ownValue } from '@vedette/protocol/own-value'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { rewriteRows } from '../../platform/db/many-rows.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Collection } from '../model/collection.ts'
import { recordDate } from '../model/record-date.ts'
import { toColumn } from '../model/record-row.ts'
import type { RecordValues } from '../model/record-store.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/** A record as this unit of work loaded it to change it, and its new values. */
export type RecordChange = { readonly previous: StoredRecord; readonly values: RecordValues }

type Parts = { readonly unit: UnitOfWork; readonly database: Database['name']; readonly secrets: SecretBox; readonly nowMs: number }

/** Changes many records of a collection in few statements and gives them as they are then; their events leave only if `isTold`. */
export async function updateMany(
  { unit, database, secrets, nowMs }: Parts,
  collection: Collection,
  changes: readonly RecordChange[],
  isTold: boolean,
): Promise<readonly StoredRecord[]> {
  if (changes.length === 0) return []
  // What nobody changes is not written: an index on it would be.
  const changed = collection.fields.filter(
    ({ name, kind }) =>
      kind === 'updated' ||
      changes.some(({ previous, values }) => Object.hasOwn(values, name) && ownValue(values, name) !== ownValue(previous, name)),
  )
  const now = recordDate(nowMs)
  const dates = Object.fromEntries(changed.filter(({ kind }) => kind === 'updated').map(({ name }) => [name, now]))
  const records = changes.map(({ previous, values }): StoredRecord => ({ ...previous, ...values, ...dates, id: previous.id }))
  const rows = records.map((record) => [
    record.id,
    ...changed.map((field) => toColumn(collection, field, record[field.name] ?? null, secrets)),
  ])
  if (changed.length > 0)
    await rewriteRows(unit.sql, database, { table: collection.name, columns: ['id', ...changed.map(({ name }) => name)], rows })
  if (isTold) {
    for (const [at, record] of records.entries()) {
      const previous = changes[at]?.previous
      unit.emit({ action: 'update', collection: collection.name, record, ...(previous && { previous }) })
    }
  }
  return records
}
