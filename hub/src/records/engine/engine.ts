import { ownValue } from '@vedette/protocol/own-value'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Collection, Collections } from '../model/collection.ts'
import type { RecordSource } from '../model/record-source.ts'
import type { RecordTableStore } from './record-tables.ts'

/** Dependencies of the records API. */
export type Engine = {
  readonly database: Database
  readonly collections: Collections
  readonly store: RecordTableStore
  /** Record sources of collections without a table, by collection name. */
  readonly sources: ReadonlyMap<string, RecordSource>
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly hashPassword: (password: string) => Promise<string>
}

/** The record source of a collection without a table. Throws {@link RangeError} when there is none. */
export function sourceOf(engine: Engine, collection: Collection): RecordSource {
  if (collection.storage === 'none') return nothing
  if (collection.viewOf !== undefined) return viewSource(engine.store, collection.viewOf)
  const source = engine.sources.get(collection.name)
  if (source === undefined) throw new RangeError(`Cannot read "${collection.name}": nothing makes its records`)
  return source
}

const nothing: RecordSource = { load: async () => [], loadOne: async () => undefined }

function viewSource(store: RecordTableStore, { collection, values }: NonNullable<Collection['viewOf']>): RecordSource {
  return {
    load: () => store.loadWhere(collection, values),
    async loadOne(id, unit) {
      const record = await store.load(collection, id, unit)
      return record !== undefined && Object.entries(values).every(([name, value]) => ownValue(record, name) === value) ? record : undefined
    },
  }
}
