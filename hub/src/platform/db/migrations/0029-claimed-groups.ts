import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 29: adds columns for groups by an identity provider's claim: the claim's value, the role it gives and its members; for users,
 * whether their role comes from a claim.
 */
export async function addClaimedGroups(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  for (const column of ['claim', 'role', 'claimMembers'])
    await sql`alter table "groups" add column ${sql.ref(column)} ${text} not null default ''`.execute(transaction)
  await sql`alter table users add column "roleByClaim" integer not null default 0`.execute(transaction)
}
