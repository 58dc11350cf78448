import { sql } from 'kysely'
import type { Collection, Collections, Field } from '../model/collection.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { badRequest } from '../model/record-error.ts'
import type { RecordTableStore } from './engine.ts'
import type { StoredRecord } from '../model/stored-record.ts'

type Removal = { readonly collections: Collections; readonly store: RecordTableStore; readonly unit: UnitOfWork }

/**
 * Deletes a record and handles relations of other records to it; does nothing if it is missing. A list of several ids loses this id. If it
 * was the only one, a cascading relation deletes the referring record, a required one throws 400, any other becomes empty.
 */
export async function removeWithReferences(removal: Removal, collection: Collection, id: string): Promise<void> {
  const { store, unit } = removal
  const record = await store.loadToChange(collection.name, id, unit)
  if (record === undefined) return
  await sql`delete from ${sql.table(collection.name)} where id = ${id}`.execute(unit.sql)
  unit.emit({ action: 'delete', collection: collection.name, record })
  await collection.hooks?.removed?.(id, unit)
  for (const { collection: referring, field } of referencesTo(removal.collections, collection)) {
    for (const one of await store.loadReferring(referring, field, [id], unit)) await settle(removal, referring, field, { one, id })
  }
}

type Relation = Extract<Field, { kind: 'relation' }>

/**
 * Returns the relation fields that refer to the collection `target`, each with the collection that has the field. Only collections with a
 * table are searched.
 */
export function referencesTo(collections: Collections, target: Collection): readonly { collection: Collection; field: Relation }[] {
  return collections.all.flatMap((collection) =>
    collection.storage !== 'table'
      ? []
      : collection.fields.flatMap((field) => (field.kind === 'relation' && field.to === target.name ? [{ collection, field }] : [])),
  )
}

async function settle(
  removal: Removal,
  collection: Collection,
  field: Relation,
  { one, id }: { readonly one: StoredRecord; readonly id: string },
): Promise<void> {
  const value = one[field.name]
  const rest = Array.isArray(value) ? value.filter((other) => other !== id) : []
  if (rest.length > 0) {
    await removal.store.update(removal.unit, collection.name, one.id, { [field.name]: rest })
    return
  }
  if (field.cascade === true) {
    await removeWithReferences(removal, collection, one.id)
    return
  }
  if (field.required === true) {
    throw badRequest('Failed to delete record. Make sure that the record is not part of a required relation reference.')
  }
  await removal.store.update(removal.unit, collection.name, one.id, { [field.name]: field.many === true ? [] : '' })
}
