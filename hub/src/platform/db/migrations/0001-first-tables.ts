import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'

type Kind = 'text' | 'number' | 'flag'
type Columns = { readonly [name: string]: Kind }

const dates: Columns = { created: 'text', updated: 'text' }

/**
 * Map from the name of each collection in migration 1 to the columns of its table: kind, such as `text` or `flag`, by column name. Each
 * table also gets `id` and `seq`, the order of insertion.
 */
const collections: Readonly<Record<string, Columns>> = {
  users: {
    email: 'text',
    emailVisibility: 'flag',
    verified: 'flag',
    password: 'text',
    tokenKey: 'text',
    tokenKeyHmac: 'text',
    username: 'text',
    name: 'text',
    avatar: 'text',
    role: 'text',
    ...dates,
  },
  systems: { name: 'text', status: 'text', host: 'text', port: 'text', info: 'text', users: 'text', ...dates },
  alerts: { user: 'text', system: 'text', name: 'text', value: 'number', min: 'number', triggered: 'flag', ...dates },
  alerts_history: { user: 'text', system: 'text', alert_id: 'text', name: 'text', value: 'number', resolved: 'text', created: 'text' },
  fingerprints: { system: 'text', token: 'text', tokenHmac: 'text', fingerprint: 'text', updated: 'text' },
  system_details: {
    system: 'text',
    hostname: 'text',
    os: 'number',
    os_name: 'text',
    kernel: 'text',
    cpu: 'text',
    arch: 'text',
    cores: 'number',
    threads: 'number',
    memory: 'number',
    podman: 'flag',
    updated: 'text',
  },
  containers: {
    system: 'text',
    name: 'text',
    status: 'text',
    health: 'number',
    cpu: 'number',
    memory: 'number',
    net: 'number',
    image: 'text',
    ports: 'text',
    updated: 'number',
  },
  user_settings: { user: 'text', settings: 'text', ...dates },
  quiet_hours: { user: 'text', system: 'text', type: 'text', start: 'text', end: 'text' },
  universal_tokens: { user: 'text', token: 'text', tokenHmac: 'text', created: 'text' },
}

const indexes: readonly string[] = [
  `create unique index users_email on users (email) where email <> ''`,
  `create unique index users_username on users (lower(username)) where username <> ''`,
  `create index systems_status on systems (status)`,
  `create index systems_name on systems (name)`,
  `create unique index alerts_once on alerts ("user", system, name)`,
  `create index alerts_system on alerts (system)`,
  `create index alerts_history_user on alerts_history ("user", created)`,
  `create index alerts_history_system on alerts_history (system)`,
  `create unique index fingerprints_system on fingerprints (system)`,
  `create index fingerprints_token on fingerprints ("tokenHmac")`,
  `create index system_details_system on system_details (system)`,
  `create index containers_system on containers (system)`,
  `create index containers_updated on containers (updated)`,
  `create unique index user_settings_user on user_settings ("user")`,
  `create index quiet_hours_user on quiet_hours ("user", system)`,
  `create unique index universal_tokens_user on universal_tokens ("user")`,
  `create index universal_tokens_token on universal_tokens ("tokenHmac")`,
]

/**
 * Migration 1: creates the first tables: `hub_state`, `history_rows`, and one for each collection of that time, such as `users` and
 * `systems`.
 */
export async function createFirstTables(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  // Both databases must sort and compare texts by bytes. Otherwise their lists differ.
  const text = database === 'sqlite' ? sql`text` : sql`text collate "C"`
  const schema = transaction.schema
  await schema
    .createTable('hub_state')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', text, (column) => column.notNull())
    .execute()
  await schema
    .createTable('history_rows')
    .addColumn('system', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('tier', text, (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('data', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('history_rows_key', ['system', 'kind', 'tier', 'at'])
    .execute()
  for (const [name, columns] of Object.entries(collections)) await createCollection(transaction, database, name, columns)
  for (const index of indexes) await sql.raw(index).execute(transaction)
}

/**
 * Creates the table of a collection with the given columns, and the columns `id` and `seq` (order of insertion). Migration 1 and later ones
 * use it.
 */
export async function createCollection(
  transaction: Transaction<Tables>,
  database: 'sqlite' | 'postgres',
  name: string,
  columns: Columns,
): Promise<void> {
  const text = database === 'sqlite' ? 'text' : 'text collate "C"'
  const kinds: Readonly<Record<Kind, RawBuilder<unknown>>> = {
    text: sql.raw(`${text} not null default ''`),
    // SQLite's NUMERIC keeps 80 as 80. With REAL its text would be "80.0".
    number: sql.raw(`${database === 'sqlite' ? 'numeric' : 'double precision'} not null default 0`),
    flag: sql.raw(`integer not null default 0`),
  }
  const order = database === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key'
  const lines = [
    sql`seq ${sql.raw(order)}`,
    sql`id ${sql.raw(text)} not null unique`,
    ...Object.entries(columns).map(([column, kind]) => sql`${sql.ref(column)} ${kinds[kind]}`),
  ]
  await sql`create table ${sql.table(name)} (${sql.join(lines)})`.execute(transaction)
}
