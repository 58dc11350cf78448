import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { notFound } from '../../records/model/record-error.ts'

/**
 * Returns the collection of accounts, `users` or `_superusers`, whose name or id a request's URL contains. Throws 404 for any other text.
 */
export function authCollection(engine: Engine, nameOrId: string): Collection {
  const collection = engine.collections.find(nameOrId)
  if (collection === undefined) throw notFound('Missing or invalid collection context.')
  if (collection.type !== 'auth') throw notFound('Missing or invalid auth collection context.')
  return collection
}
