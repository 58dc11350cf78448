import type { Json } from '@vedette/protocol/wire/stats-json'
import { isAdmin, type Actor } from '../model/actor.ts'
import type { Collection, Field } from '../model/collection.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/** A record as it is sent. */
export type PublicRecord = { readonly [field: string]: Json }

/** What of a record the actor is shown: nothing hidden, and an e-mail address only if it is public, their own, or they are an admin. */
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
