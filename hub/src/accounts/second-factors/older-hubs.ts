import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { endSupport, livingOlderHub } from '../../platform/db/older-hubs.ts'
import { badRequest, type RecordError } from '../../records/model/record-error.ts'

/**
 * Number of the database schema (26) and version (`0.1.0`) of the first hubs that check second factors. Older hubs on the same database
 * accept a password alone.
 */
const FIRST_WITH_FACTORS = { schema: 26, version: '0.1.0' }

/** Throws 400 while an older hub runs on the same database that does not check second factors. */
export async function refuseBesideOlderHub(database: Database): Promise<void> {
  const older = await livingOlderHub(database, FIRST_WITH_FACTORS.schema)
  if (older !== undefined) throw refusal(older)
}

/**
 * Makes sure, in the transaction that turns a second factor on, that no older hub without second factors uses the database. Throws 400
 * while one runs. After the commit, none can start.
 */
export async function keepOlderHubsOut(database: Database, unit: UnitOfWork): Promise<void> {
  const older = await endSupport(database, unit, FIRST_WITH_FACTORS)
  if (older !== undefined) throw refusal(older)
}

const refusal = ({ name, version }: { readonly name: string; readonly version: string }): RecordError =>
  badRequest(`The hub "${name}" of version ${version} uses this database and knows no second factors. Upgrade or stop it first.`)
