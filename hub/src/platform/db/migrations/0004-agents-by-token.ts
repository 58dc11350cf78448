import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 4: indexes agents by token and fingerprint instead of token alone, since thousands may share a token. Drops the index on the
 * column `updated` of containers, which every sample changes.
 */
export async function findAgentsByToken(transaction: Transaction<Tables>): Promise<void> {
  for (const statement of [
    sql`create index fingerprints_agent on fingerprints ("tokenHmac", fingerprint)`,
    sql`drop index fingerprints_token`,
    sql`drop index containers_updated`,
  ])
    await statement.execute(transaction)
}
