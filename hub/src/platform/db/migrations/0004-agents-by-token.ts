import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * An agent is found among thousands with one token by its fingerprint. The containers' time of change is written with
 * every sample, for an order that few ask for.
 */
export async function findAgentsByToken(transaction: Transaction<Tables>): Promise<void> {
  for (const statement of [
    sql`create index fingerprints_agent on fingerprints ("tokenHmac", fingerprint)`,
    sql`drop index fingerprints_token`,
    sql`drop index containers_updated`,
  ])
    await statement.execute(transaction)
}
