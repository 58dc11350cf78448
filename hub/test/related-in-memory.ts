import { idsIn, type RelatedRecords } from '../src/records/filter/matches.ts'
import type { StoredRecord } from '../src/records/model/stored-record.ts'

/** Records by the name of their collection. */
export type RecordsInMemory = Readonly<Record<string, readonly StoredRecord[]>>

/** Related records from memory. `listable`: whether the caller may list a record; by default all. */
export function relatedInMemory(
  records: RecordsInMemory,
  listable: (collection: string, record: StoredRecord) => boolean = () => true,
): RelatedRecords {
  const recordsOf = (name: string): readonly StoredRecord[] => records[name] ?? []
  return {
    loadMany: async ({ name }, ids) => recordsOf(name).filter(({ id }) => ids.includes(id)),
    loadReferring: async ({ name }, field, ids) =>
      recordsOf(name).filter((record) => idsIn(record[field.name]).some((id) => ids.includes(id))),
    loadAll: async ({ name }) => recordsOf(name),
    listable: async ({ name }, found) => found.filter((record) => listable(name, record)),
  }
}
