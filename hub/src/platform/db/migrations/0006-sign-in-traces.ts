import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { createCollection } from './0001-first-tables.ts'

const account = { collectionRef: 'text', recordRef: 'text' } as const
const dates = { created: 'text', updated: 'text' } as const

/**
 * Migration 6: adds collections for sign-ins: sign-ins that wait for a second factor, one-time codes, known origins (address and browser),
 * and accounts at OAuth2 providers.
 */
export async function addSignInTraces(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  await createCollection(transaction, database, '_mfas', { ...account, method: 'text', ...dates })
  await createCollection(transaction, database, '_otps', { ...account, password: 'text', sentTo: 'text', ...dates })
  await createCollection(transaction, database, '_authOrigins', { ...account, fingerprint: 'text', ...dates })
  await createCollection(transaction, database, '_externalAuths', { ...account, provider: 'text', providerId: 'text', ...dates })
  for (const statement of indexes) await sql.raw(statement).execute(transaction)
}

const indexes: readonly string[] = [
  `create index mfas_account on "_mfas" ("recordRef")`,
  `create index otps_account on "_otps" ("recordRef")`,
  `create unique index auth_origins_once on "_authOrigins" ("recordRef", "collectionRef", fingerprint)`,
  `create unique index external_auths_once on "_externalAuths" ("collectionRef", provider, "providerId")`,
  `create unique index external_auths_account on "_externalAuths" ("recordRef", "collectionRef", provider)`,
]
