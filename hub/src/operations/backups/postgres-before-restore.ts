import { Client } from 'pg'
import { DatabaseUnusableError } from '../../platform/db/database.ts'
import { GONE_AFTER_MS } from '../../platform/db/postgres/living-hubs.ts'

/**
 * Name of the PostgreSQL schema with the data from before a restore. It stays until a hub has passed its health check on the restored data,
 * or until a rollback. Its table `restore` has one row, the id of the restore.
 */
export const SCHEMA_BEFORE = 'vedette_before_restore'
const SCHEMA_DISCARDED = 'vedette_discarded'

/**
 * SQL statement that takes a PostgreSQL advisory lock until the transaction ends. A second restore of the same database waits at this
 * statement until the first has ended.
 */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('vedette restore', 0));`

const CONNECT_TIMEOUT_MS = 10_000
/**
 * Timeout of each SQL statement that the hub itself sends for a restore or rollback, in ms (10 min). The programs `pg_restore` and `psql`
 * have other timeouts.
 */
const STATEMENT_TIMEOUT_MS = 600_000

/**
 * Returns an SQL block that moves all tables, views, sequences and functions from one PostgreSQL schema to another, except objects of
 * extensions. `from` and `to` are SQL expressions of schema names, such as `'public'`.
 */
const moveAll = (from: string, to: string): string => `do $$ declare one record; begin
  for one in select oid::regclass as name from pg_class where relnamespace = ${from}::regnamespace and relkind in ('r', 'p', 'f')
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') loop
    execute format('alter table %s set schema %I', one.name, ${to});
  end loop;
  for one in select oid::regclass as name, relkind as kind from pg_class where relnamespace = ${from}::regnamespace and relkind in ('v', 'm', 'S')
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') loop
    execute format('alter %s %s set schema %I', case one.kind when 'v' then 'view' when 'm' then 'materialized view' else 'sequence' end,
      one.name, ${to});
  end loop;
  for one in select oid::regprocedure as name from pg_proc where pronamespace = ${from}::regnamespace
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') loop
    execute format('alter function %s set schema %I', one.name, ${to});
  end loop; end $$;`

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const DISCARD_CURRENT = `create schema ${SCHEMA_DISCARDED};
${moveAll('current_schema()', quoted(SCHEMA_DISCARDED))}
drop schema ${SCHEMA_DISCARDED} cascade;`

/**
 * Returns SQL, for the transaction that loads a dump, that empties the PostgreSQL database first. It moves the current data to {@link
 * SCHEMA_BEFORE}. With `keepsEarlier` it drops the current data instead, because that schema already holds older data.
 */
export function makeRoom(restoreId: string, keepsEarlier: boolean): string {
  if (keepsEarlier) return `${LOCK}\n${DISCARD_CURRENT}\nupdate ${SCHEMA_BEFORE}.restore set id = ${quoted(restoreId)};`
  return `${LOCK}
drop schema if exists ${SCHEMA_BEFORE} cascade;
create schema ${SCHEMA_BEFORE};
${moveAll('current_schema()', quoted(SCHEMA_BEFORE))}
create table ${SCHEMA_BEFORE}.restore as select ${quoted(restoreId)}::text as id;`
}

/**
 * Resolves to the id of the restore whose previous data is still in the schema {@link SCHEMA_BEFORE}. `undefined` when there is no such
 * schema. Rejects with {@link DatabaseUnusableError} when the database cannot be queried.
 */
export function idOfKeptRestore(url: string): Promise<string | undefined> {
  return inTransaction(url, async (client) => {
    const { rows: found } = await client.query<{ exists: boolean }>(`select to_regclass('${SCHEMA_BEFORE}.restore') is not null as exists`)
    if (found[0]?.exists !== true) return undefined
    const { rows } = await client.query<{ id: string }>(`select id from ${SCHEMA_BEFORE}.restore`)
    return rows[0]?.id
  })
}

/**
 * Resolves to the names of the hubs that run on the PostgreSQL database at `url`. Empty when the database has no table of hubs. Rejects
 * with {@link DatabaseUnusableError}.
 */
export function livingHubNames(url: string): Promise<readonly string[]> {
  return inTransaction(url, async (client) => {
    const { rows: found } = await client.query<{ exists: boolean }>("select to_regclass('hubs') is not null as exists")
    if (found[0]?.exists !== true) return []
    const { rows } = await client.query<{ name: string }>(
      `select name from hubs where abs(extract(epoch from clock_timestamp()) * 1000 - seen_at) < ${GONE_AFTER_MS} order by name`,
    )
    return rows.map(({ name }) => name)
  })
}

/**
 * Drops the restored data of a PostgreSQL database and moves the data from before the restore back, in one transaction. Does nothing when
 * there is no earlier data.
 */
export async function putEarlierDataBack(url: string): Promise<void> {
  await inTransaction(url, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regnamespace('${SCHEMA_BEFORE}') is not null as exists`)
    if (rows[0]?.exists !== true) return
    await client.query(`drop table ${SCHEMA_BEFORE}.restore;
${DISCARD_CURRENT}
${moveAll(quoted(SCHEMA_BEFORE), 'current_schema()')}
drop schema ${SCHEMA_BEFORE};`)
  })
}

/** Drops the PostgreSQL schema with the data from before a restore, after the restore was confirmed. */
export async function dropEarlierData(url: string): Promise<void> {
  await inTransaction(url, (client) => client.query(`drop schema if exists ${SCHEMA_BEFORE} cascade`))
}

async function inTransaction<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'vedette',
  })
  // A connection that breaks between two statements fails the next statement.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin')
    await client.query(LOCK)
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (cause) {
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : 'the server does not answer'
    throw new DatabaseUnusableError(`Cannot finish or undo the restore: ${reason}`, { cause })
  } finally {
    await client.end().catch(() => {})
  }
}
