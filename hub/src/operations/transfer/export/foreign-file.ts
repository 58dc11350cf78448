import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { columnOf, ID_COLUMN, isList, type ForeignCollection, type ForeignField } from './foreign-field.ts'
import { foreignCollections } from './foreign-collections.ts'

/**
 * Names of the database migrations that a Beszel hub 0.18.8 has run. With them in the exported database, that hub runs none again, and a
 * later version runs only newer ones.
 */
const migrations = [
  '1640988000_init.go',
  '1717233556_v0.23_migrate.go',
  '1717233557_v0.23_migrate2.go',
  '1717233558_v0.23_migrate3.go',
  '1717233559_v0.23_migrate4.go',
  '1763020353_update_default_auth_alert_templates.go',
  '1778828400_normalize_indexes.go',
  '0_collections_snapshot_0_19_0_dev_1.go',
  'initial-settings.go',
] as const

const NOW = "(strftime('%Y-%m-%d %H:%M:%fZ'))"

const ownTables = [
  'CREATE TABLE `_migrations` (file VARCHAR(255) PRIMARY KEY NOT NULL, applied INTEGER NOT NULL)',
  `CREATE TABLE \`_params\` (\`id\` ${ID_COLUMN}, \`value\` JSON DEFAULT NULL, \`created\` TEXT DEFAULT ${NOW} NOT NULL, \`updated\` TEXT DEFAULT ${NOW} NOT NULL)`,
  `CREATE TABLE \`_collections\` (\`id\` ${ID_COLUMN}, \`system\` BOOLEAN DEFAULT FALSE NOT NULL, \`type\` TEXT DEFAULT 'base' NOT NULL, \`name\` TEXT UNIQUE NOT NULL, \`fields\` JSON DEFAULT '[]' NOT NULL, \`indexes\` JSON DEFAULT '[]' NOT NULL, \`listRule\` TEXT DEFAULT NULL, \`viewRule\` TEXT DEFAULT NULL, \`createRule\` TEXT DEFAULT NULL, \`updateRule\` TEXT DEFAULT NULL, \`deleteRule\` TEXT DEFAULT NULL, \`options\` JSON DEFAULT '{}' NOT NULL, \`created\` TEXT DEFAULT ${NOW} NOT NULL, \`updated\` TEXT DEFAULT ${NOW} NOT NULL)`,
  'CREATE INDEX idx__collections_type on `_collections` (`type`)',
]

/**
 * SQLite database in the format of a Beszel hub that this hub writes for an export, as functions that insert records and complete the file.
 */
export type ForeignFile = {
  /**
   * Inserts a record into the exported database, into the table of a collection (by name). Fields that the collection does not have there
   * are left out; missing ones get their default.
   */
  readonly insert: (collection: string, record: JsonObject) => void
  /**
   * Runs `work`, which inserts records into the exported database, in one transaction. If it throws, the database file is incomplete and
   * must be deleted.
   */
  readonly together: (work: () => Promise<void>) => Promise<void>
  /** Completes the exported database file, switches it to a write-ahead log as the other hub uses it, and closes it. */
  readonly finish: () => void
  /** Disposing closes the exported database file without completing it, so that the caller must delete it. Does nothing after `finish`. */
  readonly [Symbol.dispose]: () => void
}

type Content = {
  /**
   * Map from the name of an exported collection of accounts (`users`, `_superusers`) to the value of its column `options` in the table
   * `_collections`.
   */
  readonly options: Readonly<Record<string, JsonObject>>
  readonly settings: JsonObject
  readonly nowMs: number
}

/** Creates a SQLite file with the tables, collections and settings of a Beszel hub and no records. The file must not exist yet. */
export function createForeignFile(path: string, { options, settings, nowMs }: Content): ForeignFile {
  const database = new DatabaseSync(path)
  // The file is of no use before it is whole, so nothing needs to survive a crash.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
  for (const statement of ownTables) database.exec(statement)
  const noted = database.prepare('INSERT INTO _migrations VALUES (?, ?)')
  for (const name of migrations) noted.run(name, nowMs * 1000)
  database.prepare("INSERT INTO _params (id, value) VALUES ('settings', ?)").run(JSON.stringify(settings))
  for (const collection of foreignCollections) createCollection(database, collection, ownValue(options, collection.name) ?? {})
  const statements = new Map(foreignCollections.map((one) => [one.name, insertion(database, one)]))
  return {
    insert: (collection, record) => statements.get(collection)?.(record),
    async together(work) {
      database.exec('BEGIN')
      await work()
      database.exec('COMMIT')
    },
    finish() {
      database.exec('ANALYZE; PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL')
      database.close()
    },
    [Symbol.dispose]() {
      if (database.isOpen) database.close()
    },
  }
}

function createCollection(database: DatabaseSync, collection: ForeignCollection, options: JsonObject): void {
  const { id, system, type, name, fields, indexes, rules } = collection
  database.exec(`CREATE TABLE \`${name}\` (${fields.map(columnOf).join(', ')})`)
  for (const index of indexes) database.exec(index)
  database
    .prepare(
      'INSERT INTO _collections (id, system, type, name, fields, indexes, listRule, viewRule, createRule, updateRule, deleteRule, options) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(id, system ? 1 : 0, type, name, JSON.stringify(fields), JSON.stringify(indexes), ...rules, JSON.stringify(options))
}

function insertion(database: DatabaseSync, { name, fields }: ForeignCollection): (record: JsonObject) => void {
  const statements = new Map<string, StatementSync>()
  return (record) => {
    const given = fields.filter((one) => ownValue(record, one.name) !== undefined)
    const columns = given.map((one) => `\`${one.name}\``).join(', ')
    const statement =
      statements.get(columns) ?? database.prepare(`INSERT INTO \`${name}\` (${columns}) VALUES (${given.map(() => '?').join(', ')})`)
    statements.set(columns, statement)
    statement.run(...given.map((one) => columnValue(one, ownValue(record, one.name) ?? null)))
  }
}

function columnValue(one: ForeignField, value: Json): SQLInputValue {
  if (one.type === 'json' || isList(one)) return value === null && one.type === 'json' ? null : JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || typeof value === 'string') return value
  return value === null ? '' : JSON.stringify(value)
}
