import type { Collection } from '../records/model/collection.ts'
import type { Engine } from '../records/engine/engine.ts'
import type { RequestFacts } from '../records/filter/filter-names.ts'
import { asText, type StoredRecord } from '../records/model/stored-record.ts'
import { updateRecord } from '../records/writing/write.ts'
import { verifyPassword } from './passwords/password.ts'

/**
 * Set of fields that are left out when a sign-up request updates an existing account instead of creating one (clients for PocketBase's
 * former admin API). Examples: `password`, `role`.
 */
const unchangedFields = new Set(['id', 'email', 'password', 'passwordConfirm', 'oldPassword', 'role', 'verified'])

/**
 * Handles the first sign-up of clients for PocketBase's former admin API: they create an admin, and then a user with the same email and
 * password. The hub then updates that admin's account and resolves to it. `undefined` for all other requests.
 */
export async function ownAccountMade(engine: Engine, collection: Collection, facts: RequestFacts): Promise<StoredRecord | undefined> {
  const { actor, early, body = {} } = facts
  if (early !== true || actor === undefined || collection.name !== 'users' || body['email'] !== actor['email']) return undefined
  const { password } = body
  if (typeof password !== 'string' || !(await verifyPassword(password, asText(actor['password'] ?? '')))) return undefined
  const chosen = Object.fromEntries(Object.entries(body).filter(([name]) => !unchangedFields.has(name)))
  return updateRecord(engine, collection, { ...facts, body: chosen }, actor.id)
}
