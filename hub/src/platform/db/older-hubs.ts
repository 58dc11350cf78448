import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { DatabaseUnusableError, type Database, type UnitOfWork } from './database.ts'
import { oldestFor, raiseOldest, type SchemaSupport } from './schema-support.ts'
import type { Tables } from './schema.ts'
import type { Program } from './migrations/all-migrations.ts'
import { GONE_AFTER_MS, isLiving } from './postgres/living-hubs.ts'

/** Number of the migration (19) that added the column `hubs.schema_version`, in which each hub stores its schema version. */
const FIRST_WITH_HUB_SCHEMAS = 19

type OlderHub = { readonly id: string; readonly name: string; readonly version: string; readonly seen_at: number }

/**
 * Error that rolls migrations back, because a living hub of the same database is too old for the tables after them. `hub` is that older
 * hub.
 */
class OlderHubError extends Error {
  readonly hub: OlderHub
  constructor(hub: OlderHub) {
    super('an older hub is running')
    this.hub = hub
  }
}

/**
 * Checks before migrations that remove something: throws OlderHubError when a living hub is too old for the tables after them. Deletes the
 * rows of dead older hubs in `hubs`. `schema` is the number of migrations before. Call it in the transaction of the migrations. Does
 * nothing below schema 19, or if none of the missing migrations removes something.
 */
export async function endOlderHubs(unit: UnitOfWork, schema: number, program: Program): Promise<void> {
  const contracts = program.contractions.some(({ migration }) => migration > schema)
  if (schema < FIRST_WITH_HUB_SCHEMAS || !contracts) return
  // Blocks joining hubs until the migrations are committed.
  await unit.alone('hubs')
  const { schema: oldest } = oldestFor(program)
  const older = await findOlder(unit.sql, oldest)
  if (older !== undefined) throw new OlderHubError(older)
  await deleteOlder(unit.sql, oldest)
}

async function findOlder(kysely: Kysely<Tables>, schema: number): Promise<OlderHub | undefined> {
  const { rows } = await sql<OlderHub>`select id, name, version, seen_at from hubs
    where schema_version < ${schema} and ${isLiving()} order by name limit 1`.execute(kysely)
  return rows[0]
}

/**
 * Deletes the rows of hubs that know fewer than `schema` migrations from the table `hubs`. Such a hub that was only frozen must join again
 * when it continues, which is refused then.
 */
async function deleteOlder(kysely: Kysely<Tables>, schema: number): Promise<void> {
  await sql`delete from hubs where schema_version < ${schema}`.execute(kysely)
}

/**
 * Resolves to name and version of a running hub of this database that knows fewer than `schema` migrations. `undefined` if there is none;
 * on SQLite there is only one hub.
 */
export async function livingOlderHub(
  { name, kysely }: Pick<Database, 'name' | 'kysely'>,
  schema: number,
): Promise<Pick<OlderHub, 'name' | 'version'> | undefined> {
  return name === 'sqlite' ? undefined : findOlder(kysely, schema)
}

/**
 * Stores in a transaction that hubs older than `oldest` cannot use the database from then on. On PostgreSQL it also deletes the rows of
 * dead ones. If an older hub runs, changes nothing and resolves to its name and version; to `undefined` after success.
 */
export async function endSupport(
  { name }: Pick<Database, 'name'>,
  unit: UnitOfWork,
  oldest: SchemaSupport['oldest'],
): Promise<Pick<OlderHub, 'name' | 'version'> | undefined> {
  // Blocks joining hubs until the commit.
  await unit.alone('hubs')
  const older = await livingOlderHub({ name, kysely: unit.sql }, oldest.schema)
  if (older !== undefined) return older
  if (name === 'postgres') await deleteOlder(unit.sql, oldest.schema)
  await raiseOldest(unit.sql, oldest)
  return undefined
}

/**
 * Runs the migrations `work`. While they throw OlderHubError, repeats them until the row of that older hub in `hubs` expires, as for a dead
 * one. Throws {@link DatabaseUnusableError} when that hub renews its row.
 */
export async function withoutOlderHubs(program: Program, work: () => Promise<void>): Promise<void> {
  let first: OlderHub | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OlderHubError)) throw error
      const { hub } = error
      if (first?.id === hub.id && first.seen_at !== hub.seen_at) throw refusal(hub, program)
      if (first?.id !== hub.id) first = hub
      await wait(GONE_AFTER_MS / 12)
    }
  }
}

function refusal({ name, version }: OlderHub, program: Program): DatabaseUnusableError {
  const oldest = oldestFor(program).version
  return new DatabaseUnusableError(
    `Cannot upgrade the database to version ${program.version}: the hub "${name}" of version ${version} is using it; stop that hub, or upgrade it to version ${oldest} first, which may run beside ${program.version}`,
  )
}
