import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { endSupport, livingOlderHub } from '../../platform/db/older-hubs.ts'
import { badRequest, type RecordError } from '../../records/model/record-error.ts'

/** First schema and version of hubs that know second factors. Older hubs accept a password alone. */
const FIRST_WITH_FACTORS = { schema: 26, version: '0.1.0' }

/** Throws 400 while a hub runs on the database that does not know second factors. */
export async function refuseBesideOlderHub(database: Database): Promise<void> {
  const older = await livingOlderHub(database, FIRST_WITH_FACTORS.schema)
  if (older !== undefined) throw refusal(older)
}

/**
 * Checks in the transaction that turns a second factor on that all hubs of the database know second factors. From its commit on, no other
 * hub can start on the database. Throws 400 while one runs.
 */
export async function keepOlderHubsOut(database: Database, unit: UnitOfWork): Promise<void> {
  const older = await endSupport(database, unit, FIRST_WITH_FACTORS)
  if (older !== undefined) throw refusal(older)
}

const refusal = ({ name, version }: { readonly name: string; readonly version: string }): RecordError =>
  badRequest(`The hub "${name}" of version ${version} uses this database and knows no second factors. Upgrade or stop it first.`)
