import type { Collection } from '../records/model/collection.ts'
import type { Engine } from '../records/engine/engine.ts'
import type { RequestFacts } from '../records/filter/request-facts.ts'
import { asText } from '../records/model/record-row.ts'
import type { StoredRecord } from '../records/model/stored-record.ts'
import { updateRecord } from '../records/writing/write.ts'
import { verifyPassword } from './passwords/password.ts'

/** What an account has already, or must not be given on the way. */
const KEPT = new Set(['id', 'email', 'password', 'passwordConfirm', 'oldPassword', 'role', 'verified'])

/**
 * Clients of the oldest generation set a hub up with two accounts of the same e-mail and password: an admin, and a user whom the
 * admin makes. Here they are one. An admin who makes themselves a user is given the account they have, under the name they
 * chose; undefined when it is anybody else, or another password.
 */
export async function ownAccountMade(engine: Engine, collection: Collection, facts: RequestFacts): Promise<StoredRecord | undefined> {
  const { actor, early, body = {} } = facts
  if (early !== true || actor === undefined || collection.name !== 'users' || body['email'] !== actor['email']) return undefined
  const { password } = body
  if (typeof password !== 'string' || !(await verifyPassword(password, asText(actor['password'] ?? '')))) return undefined
  const chosen = Object.fromEntries(Object.entries(body).filter(([name]) => !KEPT.has(name)))
  return updateRecord(engine, collection, { ...facts, body: chosen }, actor.id)
}
