import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

/**
 * Migration 26: adds the second factors of accounts: secrets of authenticator apps, recovery codes, passkeys, and the challenges of
 * passkeys that were used. Sessions get the time of their sign-in.
 */
export async function addSecondFactors(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  for (const statement of [
    sql`create table authenticator_apps (
      account ${text} primary key, secret ${text} not null, active integer not null, step bigint not null, created bigint not null)`,
    sql`create table recovery_codes (account ${text} not null, digest ${text} not null, primary key (account, digest))`,
    sql`create table passkeys (
      id ${text} primary key, account ${text} not null, credential ${text} not null unique, "publicKey" ${text} not null,
      counter bigint not null, transports ${text} not null, name ${text} not null, created bigint not null, used bigint)`,
    sql`create index passkeys_account on passkeys (account, created)`,
    sql`alter table session_tokens add column "signedIn" bigint`,
    sql`create table used_challenges (digest ${text} primary key, until bigint not null)`,
  ])
    await statement.execute(transaction)
}
