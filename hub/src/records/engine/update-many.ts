import { ownValue } from '@vedette/protocol/own-value'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { rewriteRows } from '../../platform/db/many-rows.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Collection } from '../model/collection.ts'
import { recordDate } from '../model/record-date.ts'
import { toColumn } from '../model/record-row.ts'
import type { RecordValues } from '../model/record-store.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/** A change of one record. */
export type RecordChange = {
  /** The record as this unit of work loaded it to change it. */
  readonly before: StoredRecord
  /** `before` has only fields that stay as they are; `values` are all the others. */
  readonly isPartial?: boolean
  readonly values: RecordValues
}

type Parts = { readonly unit: UnitOfWork; readonly database: Database['name']; readonly secrets: SecretBox; readonly nowMs: number }

/** Changes many records of a collection in few statements and returns them. Emits an update event for each. */
export async function updateMany(
  { unit, database, secrets, nowMs }: Parts,
  collection: Collection,
  changes: readonly RecordChange[],
): Promise<readonly StoredRecord[]> {
  if (changes.length === 0) return []
  // Columns that nobody changes are not written: the database would write their indexes, too.
  const changed = collection.fields.filter(
    ({ name, kind }) =>
      kind === 'updated' ||
      changes.some(({ before, values }) => Object.hasOwn(values, name) && ownValue(values, name) !== ownValue(before, name)),
  )
  const now = recordDate(nowMs)
  const dates = Object.fromEntries(changed.filter(({ kind }) => kind === 'updated').map(({ name }) => [name, now]))
  const records = changes.map(({ before, values }): StoredRecord => ({ ...before, ...values, ...dates, id: before.id }))
  const rows = records.map((record) => [
    record.id,
    ...changed.map((field) => toColumn(collection, field, record[field.name] ?? null, secrets)),
  ])
  if (changed.length > 0)
    await rewriteRows(unit.sql, database, { table: collection.name, columns: ['id', ...changed.map(({ name }) => name)], rows })
  for (const [at, { before, isPartial }] of changes.entries()) {
    const record = records[at] ?? before
    unit.emit({ action: 'update', collection: collection.name, record, ...(isPartial !== true && { previous: before }) })
  }
  return records
}
