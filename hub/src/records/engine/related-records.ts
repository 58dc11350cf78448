import { sql } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Collection } from '../model/collection.ts'
import { sourceOf, type Engine } from './engine.ts'
import type { RelatedRecords } from '../filter/related.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/** Most records of one collection that a filter may set beside each record. */
const MOST = 10_000

/** Records beside records, from wherever each collection has them. Inside a unit of work they are as it left them. */
export function relatedRecords(engine: Engine, listable: RelatedRecords['listable'], unit?: UnitOfWork): RelatedRecords {
  return {
    listable,
    loadMany: async (collection, ids) =>
      collection.storage === 'table' ? engine.store.loadMany(collection, ids, unit) : loadEach(engine, collection, ids),
    loadReferring: async (collection, field, ids) => {
      if (collection.storage === 'table') return engine.store.loadReferring(collection, field, ids, unit)
      return field.name === 'system' ? sourceOf(engine, collection).load({ systems: [...new Set(ids)] }) : []
    },
    loadAll: async (collection) =>
      collection.storage === 'table'
        ? engine.store.loadSelected(collection, sql`order by r.seq limit ${MOST}`, unit)
        : sourceOf(engine, collection).load({}),
  }
}

async function loadEach(engine: Engine, collection: Collection, ids: readonly string[]): Promise<readonly StoredRecord[]> {
  const records = await Promise.all([...new Set(ids)].map((id) => sourceOf(engine, collection).loadOne(id)))
  return records.filter((record) => record !== undefined)
}
