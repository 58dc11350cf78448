import type { DatabaseSync } from 'node:sqlite'
import { cannotImport } from './transfer-refused-error.ts'

/** Names of the tables that every Beszel hub's database has since version 0.2, such as `systems`. An import requires them. */
const NEEDED_TABLES = ['_collections', '_migrations', 'systems', 'system_stats']
/** Name (`_admins`) of a table that only Beszel hubs before 0.9 have. These hubs cannot be imported. */
const OLD_TABLE = '_admins'

/** Newest database schema of a Beszel hub that can be imported, from the name of its migration `0_collections_snapshot_0_19_0_dev_1.go`. */
const NEWEST_SCHEMA = [0, 19, 0, 0, 1] as const
/**
 * Epoch seconds (1778828400) in the name of the newest migration with a timestamp that an importable Beszel hub may have run:
 * `1778828400_normalize_indexes.go`.
 */
const NEWEST_MIGRATION = 1_778_828_400

/**
 * Checks that a database is of a Beszel hub in a version that can be imported. Throws a `TransferRefusedError` that names the path `given`,
 * or SQLite's error for a file that is no database.
 */
export function recogniseHub(database: DatabaseSync, given: string): void {
  const tables = new Set(
    database
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => String(name)),
  )
  if (tables.has('hub_state')) throw cannotImport(given, 'it is a database of this program; to move it, use "vedette backup restore"')
  const missing = NEEDED_TABLES.find((name) => !tables.has(name))
  if (missing !== undefined)
    throw cannotImport(given, `it is not a database of a Beszel hub: it has no table "${missing}"; give the data folder of such a hub`)
  if (tables.has(OLD_TABLE) || !tables.has('_superusers'))
    throw cannotImport(given, 'its version is older than 0.9; upgrade the other hub, start it once, and import it again')
  const names = database
    .prepare('select file from _migrations')
    .all()
    .map(({ file }) => String(file))
  const newer = names.find(isNewer)
  if (newer !== undefined)
    throw cannotImport(given, `its version is newer than this program knows (${newer}); update this program, and import it again`)
}

/**
 * Returns true for the name of a migration of a Beszel hub that is newer than the newest that this program can import. Operators' scripts
 * (.js) do not count.
 */
function isNewer(name: string): boolean {
  if (!name.endsWith('.go')) return false
  const snapshot = /^0_collections_snapshot_(\d+)_(\d+)_(\d+)(_dev)?(?:_(\d+))?\.go$/.exec(name)
  if (snapshot === null) return Number(/^(\d+)_/.exec(name)?.[1] ?? 0) > NEWEST_MIGRATION
  const [, major, minor, patch, dev, count] = snapshot
  const version = [Number(major), Number(minor), Number(patch), dev === undefined ? 1 : 0, Number(count ?? 0)]
  const at = version.findIndex((part, index) => part !== NEWEST_SCHEMA[index])
  return at !== -1 && (version[at] ?? 0) > (NEWEST_SCHEMA[at] ?? 0)
}

/**
 * Checks another hub's database with `pragma quick_check`, which reads the whole file. Throws a `TransferRefusedError`, which names the
 * path `given`, if it is damaged.
 */
export function refuseDamage(database: DatabaseSync, given: string): void {
  const [first] = database.prepare('pragma quick_check(1)').all()
  // A line above the first problem names the database.
  const found = String(first?.['quick_check']).split('\n').at(-1) ?? ''
  if (found !== 'ok')
    throw cannotImport(given, `its database is damaged (${found.slice(0, 200)}); give one of the backups of the other hub`)
}
