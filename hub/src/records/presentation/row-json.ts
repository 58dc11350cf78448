import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../platform/db/sql-dialect.ts'
import { type Actor, isAdmin } from '../model/stored-record.ts'
import { type Collection, emptyValue, type Field } from '../model/collection.ts'

type Sql = RawBuilder<unknown>

/**
 * Returns SQL that builds the JSON of a record for a response to `actor`, from a row with the alias `r`. `undefined` if the collection has
 * secrets or email addresses to hide, or `fields` requests parts of values.
 */
export function rowJson(collection: Collection, actor: Actor, fields: string, dialect: SqlDialect): Sql | undefined {
  const shows = plainFields(fields)
  const personal = collection.fields.some(({ kind }) => kind === 'secret' || (kind === 'email' && !isAdmin(actor)))
  if (shows === undefined || personal) return undefined
  const same = Object.entries({ collectionId: collection.id, collectionName: collection.name })
    .filter(([name]) => shows(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const id: Field = { kind: 'text', name: 'id' }
  const shown = [id, ...collection.fields.filter((field) => field.hidden !== true)].filter(({ name }) => shows(name))
  if (shown.length === 0) return sql.lit(`{${same.join(',')}}`)
  // If every field may be omitted, the position of the first comma is unknown.
  if (shown.every(({ sparse }) => sparse === true)) return undefined
  const parts = shown.toSorted(sparseLast).flatMap((field, at) => {
    const before = at > 0 ? ',' : `{${same.map((one) => `${one},`).join('')}`
    const member = [sql.lit(`${before}${JSON.stringify(field.name)}:`), valueJson(field, dialect)]
    return field.sparse === true ? [sql`(case when ${isEmptySql(field)} then '' else ${dialect.concatenated(member)} end)`] : member
  })
  return dialect.concatenated([...parts, sql.lit('}')])
}

/**
 * Compares two record fields for `sort`: those that responses omit while empty (`sparse`) come last, so that SQL can write each with a
 * comma before it.
 */
const sparseLast = (one: Field, other: Field): number => Number(one.sparse === true) - Number(other.sparse === true)

/** Returns the SQL condition that the value of a sparse field is empty, so that responses omit it. */
function isEmptySql(field: Field): Sql {
  const column = sql.ref(`r.${field.name}`)
  switch (field.kind) {
    case 'flag':
      return sql`coalesce(${column}, 0) = 0`
    case 'number':
      return sql`${column} = ${sql.lit(Number(emptyValue(field)))}`
    case 'json':
    case 'labels':
      return sql`${column} in ('', ${sql.lit(JSON.stringify(emptyValue(field)))})`
    default:
      return sql`${column} = ''`
  }
}

function valueJson(field: Field, dialect: SqlDialect): Sql {
  const column = sql.ref(`r.${field.name}`)
  switch (field.kind) {
    case 'flag':
      return sql`(case when coalesce(${column}, 0) <> 0 then 'true' else 'false' end)`
    case 'number':
      return dialect.jsonOfNumber(column)
    case 'json':
    case 'labels':
      return orNothing(field, column)
    case 'relation':
      return field.many === true ? orNothing(field, column) : dialect.jsonOfText(column)
    default:
      return dialect.jsonOfText(column)
  }
}

const orNothing = (field: Field, column: Sql): Sql => sql`coalesce(nullif(${column}, ''), ${sql.lit(JSON.stringify(emptyValue(field)))})`

/**
 * Parses the query parameter `fields`. Returns a function that takes a field name and returns true if it is requested; an empty parameter
 * requests all. `undefined` if parts of fields are requested, such as `info.cpu`.
 */
export function plainFields(fields: string): ((name: string) => boolean) | undefined {
  const names = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (!names.every((name) => /^(\w+|\*)$/.test(name))) return undefined
  const everything = names.length === 0 || names.includes('*')
  return (name) => everything || names.includes(name)
}
