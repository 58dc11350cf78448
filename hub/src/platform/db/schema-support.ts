import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import { parseJson } from '../json.ts'
import type { Database } from './database.ts'
import { loadState, saveState } from './hub-state.ts'
import type { Contraction, Program } from './migrations/all-migrations.ts'
import type { Tables } from './schema.ts'

/** Key (`schemaVersion`) of the schema number in the table `hub_state`. The schema number is the number of migrations that have run. */
export const SCHEMA_VERSION = 'schemaVersion'
const SUPPORT = 'schemaSupport'

const supportSchema = z.object({
  writtenBy: z.string().max(100),
  oldest: z.object({ schema: z.int().nonnegative(), version: z.string().max(100) }),
})

/**
 * Hub versions that may use a database. `writtenBy` is the version that ran the last migration; `oldest` is the oldest version that can use
 * the tables.
 */
export type SchemaSupport = z.infer<typeof supportSchema>

/**
 * Schema of an existing database. `schema` is the number of migrations that have run, 0 for a new database. `support` has the hub versions
 * that may use it; `undefined` if an early version wrote it.
 */
export type StoredSchema = { readonly schema: number; readonly support: SchemaSupport | undefined }

export async function loadSchema(kysely: Kysely<Tables>, name: Database['name']): Promise<StoredSchema> {
  if (!(await hasState(kysely, name))) return { schema: 0, support: undefined }
  const schema = Number((await loadState(kysely, SCHEMA_VERSION)) ?? 0)
  return { schema, support: await loadSupport(kysely) }
}

/**
 * Stores in `hub_state` that all migrations of the hub version `program` have run, and which hub version is the oldest that can use the
 * tables.
 */
export async function saveSchema(kysely: Kysely<Tables>, program: Program): Promise<void> {
  await saveState(kysely, SCHEMA_VERSION, String(program.migrations.length))
  const { schema, version } = oldestFor(program)
  const before = await loadSupport(kysely)
  const oldest = before !== undefined && before.oldest.schema > schema ? before.oldest : { schema, version }
  await saveSupport(kysely, { writtenBy: program.version, oldest })
}

/**
 * Raises the stored oldest hub version that may use the database to `oldest`, in a transaction. Older hubs cannot start on the database
 * from then on. If a newer version is stored as oldest, it stays; if none is stored, nothing changes.
 */
export async function raiseOldest(kysely: Kysely<Tables>, { schema, version }: SchemaSupport['oldest']): Promise<void> {
  const support = await loadSupport(kysely)
  // Without stored versions only the version that knows all migrations can start.
  if (support !== undefined && support.oldest.schema < schema) await saveSupport(kysely, { ...support, oldest: { schema, version } })
}

async function loadSupport(kysely: Kysely<Tables>): Promise<SchemaSupport | undefined> {
  const text = await loadState(kysely, SUPPORT)
  return text === undefined ? undefined : supportSchema.safeParse(parsed(text)).data
}

const saveSupport = (kysely: Kysely<Tables>, support: SchemaSupport): Promise<void> => saveState(kysely, SUPPORT, JSON.stringify(support))

/**
 * Returns the oldest hub version that can use a database after the hub version `program` has migrated it. The result has that version and
 * its schema number, the number of its migrations.
 */
export const oldestFor = ({ contractions, migrations, version }: Program): Pick<Contraction, 'schema' | 'version'> =>
  contractions.at(-1) ?? { schema: migrations.length, version }

/**
 * Returns a sentence if the database's schema is too new for the hub version `program`, else `undefined`. With `isShared` (several hubs) a
 * newer schema is allowed if its `support` is stored and `support.oldest` is not newer than `program`.
 */
export function tooNew({ schema, support }: StoredSchema, { version, migrations }: Program, isShared: boolean): string | undefined {
  const known = migrations.length
  if (schema <= known || (isShared && support !== undefined && known >= support.oldest.schema)) return undefined
  const newer = 'Cannot use the database: it was written by a newer version'
  const goBack = 'go back to the backup from before the upgrade: "vedette backup list" names it, "vedette backup restore NAME" restores it'
  // Development builds between two releases have the same version.
  if (support === undefined || support.writtenBy === version)
    return `${newer} (schema ${schema}) than this one, ${version} (schema ${known}); start the newer version, or ${goBack}`
  const { writtenBy, oldest } = support
  const advice = isShared
    ? `versions ${oldest.version} to ${writtenBy} may run together, so start one of them`
    : `start version ${writtenBy} or a later one, or ${goBack}`
  return `${newer}, ${writtenBy}, and this is version ${version}; ${advice}`
}

/**
 * Returns a sentence when the database's tables are older than the hub's version (`program`), such as after a restore: the hub must restart
 * to upgrade them. `undefined` otherwise.
 */
export function tooOld({ schema }: StoredSchema, { version, migrations }: Program): string | undefined {
  if (schema >= migrations.length) return undefined
  return `Cannot use the database: it has the tables of an older version than ${version}, as after a restore; start this hub again, which upgrades them`
}

async function hasState(kysely: Kysely<Tables>, name: Database['name']): Promise<boolean> {
  const found =
    name === 'sqlite'
      ? await sql`select 1 from sqlite_master where type = 'table' and name = 'hub_state'`.execute(kysely)
      : await sql`select 1 from information_schema.tables where table_schema = current_schema() and table_name = 'hub_state'`.execute(
          kysely,
        )
  return found.rows.length > 0
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
