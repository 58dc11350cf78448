import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 4: replaces the index that finds agents by token with one by token and fingerprint, since thousands of agents may share a
 * token. Drops the index on the column `updated` of containers.
 */
export async function findAgentsByToken(transaction: Transaction<Tables>): Promise<void> {
  for (const statement of [
    sql`create index fingerprints_agent on fingerprints ("tokenHmac", fingerprint)`,
    sql`drop index fingerprints_token`,
    sql`drop index containers_updated`,
  ])
    await statement.execute(transaction)
}
