import { crc32 } from 'node:zlib'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'

/**
 * Field of a collection in the exported database, in the form of PocketBase's table `_collections`: `id`, `name`, `type` and properties of
 * the type.
 */
export type ForeignField = JsonObject & { readonly name: string; readonly type: ForeignFieldType }
type ForeignFieldType = 'text' | 'password' | 'email' | 'bool' | 'number' | 'select' | 'relation' | 'json' | 'date' | 'autodate' | 'file'

/**
 * Map from the type of a field, such as `text`, to its default properties. A field of that type has them in the exported database's table
 * `_collections`.
 */
const usual: Readonly<Record<ForeignFieldType, JsonObject>> = {
  text: { autogeneratePattern: '', max: 0, min: 0, pattern: '', primaryKey: false },
  password: { cost: 0, max: 0, min: 8, pattern: '' },
  email: { exceptDomains: null, onlyDomains: null },
  bool: {},
  number: { max: null, min: null, onlyInt: false },
  select: { maxSelect: 1 },
  relation: { cascadeDelete: true, maxSelect: 1, minSelect: 0 },
  json: { maxSize: 0 },
  date: { max: '', min: '' },
  autodate: { onCreate: true, onUpdate: false },
  file: { maxSelect: 1, maxSize: 0, protected: false, thumbs: null },
}

/**
 * Creates the definition of a field in the exported database: its type's default properties, replaced by those in `own`. Its id is the type
 * and the CRC-32 of the name, unless `own` has an older one.
 */
export function field(type: ForeignFieldType, name: string, own: JsonObject = {}): ForeignField {
  const common = type === 'autodate' ? {} : { help: '', required: false }
  const id = `${type}${crc32(name)}`
  return { hidden: false, presentable: false, system: false, ...common, ...usual[type], id, ...own, name, type }
}

/**
 * Creates the definition of the field `id` of a collection in the exported database. `autogeneratePattern` is the pattern by which the
 * other hub makes new ids; the lengths and `pattern` limit ids that it accepts.
 */
export const idField = (autogeneratePattern: string, [min, max]: readonly [number, number], pattern = '^[a-z0-9]+$'): ForeignField =>
  field('text', 'id', { autogeneratePattern, min, max, pattern, primaryKey: true, required: true, system: true })

const columnTypes: Readonly<Record<ForeignFieldType, string>> = {
  text: "TEXT DEFAULT '' NOT NULL",
  password: "TEXT DEFAULT '' NOT NULL",
  email: "TEXT DEFAULT '' NOT NULL",
  bool: 'BOOLEAN DEFAULT FALSE NOT NULL',
  number: 'NUMERIC DEFAULT 0 NOT NULL',
  select: "TEXT DEFAULT '' NOT NULL",
  relation: "TEXT DEFAULT '' NOT NULL",
  json: 'JSON DEFAULT NULL',
  date: "TEXT DEFAULT '' NOT NULL",
  autodate: "TEXT DEFAULT '' NOT NULL",
  file: "TEXT DEFAULT '' NOT NULL",
}

/** SQL type of a column `id` in the exported database, with the default value for rows inserted without an id. */
export const ID_COLUMN = "TEXT PRIMARY KEY DEFAULT ('r'||lower(hex(randomblob(7)))) NOT NULL"

/** Returns true for a field of an exported collection that holds a list: a relation to several records, such as the users of a system. */
export const isList = ({ type, maxSelect }: ForeignField): boolean => type === 'relation' && maxSelect !== 1

/** Returns the column definition of a field for `CREATE TABLE` in the exported database. */
export function columnOf(one: ForeignField): string {
  const type = one.name === 'id' ? ID_COLUMN : isList(one) ? "JSON DEFAULT '[]' NOT NULL" : columnTypes[one.type]
  return `\`${one.name}\` ${type}`
}

/**
 * Access rules of a collection in the exported database: a list of 5 filters, for list, view, create, update and delete. Null allows
 * superusers only.
 */
export type ForeignRules = readonly [string | null, string | null, string | null, string | null, string | null]

/**
 * Collection in the exported database, in the form of a row of PocketBase's table `_collections`: name, type, rules, fields and indexes.
 * Each has a table with its name.
 */
export type ForeignCollection = {
  readonly id: string
  readonly name: string
  readonly type: 'base' | 'auth'
  readonly system: boolean
  readonly rules: ForeignRules
  readonly fields: readonly ForeignField[]
  /** List of the SQL statements that create the indexes of the exported collection's table. */
  readonly indexes: readonly string[]
}
