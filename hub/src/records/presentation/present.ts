import type { Json } from '@vedette/protocol/wire/stats-json'
import { isAdmin, type Actor, type StoredRecord } from '../model/stored-record.ts'
import type { Collection, Field } from '../model/collection.ts'

/** A record in a response. */
export type PublicRecord = { readonly [field: string]: Json }

/**
 * The part of a record that the actor may see: no hidden fields, and an email address only if it is visible, the actor's own, or the actor
 * is an admin.
 */
export function presentRecord(collection: Collection, record: StoredRecord, actor: Actor): PublicRecord {
  const shown: { [field: string]: Json } = { collectionId: collection.id, collectionName: collection.name, id: record.id }
  for (const field of collection.fields) {
    if (shows(field, record, actor)) shown[field.name] = record[field.name] ?? null
  }
  return shown
}

function shows(field: Field, record: StoredRecord, actor: Actor): boolean {
  if (field.hidden === true) return false
  if (field.sparse === true && record[field.name] === '') return false
  return field.kind !== 'email' || record['emailVisibility'] === true || actor?.id === record.id || isAdmin(actor)
}
