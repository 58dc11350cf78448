import { sql, type RawBuilder } from 'kysely'
import type { SqlDialect } from '../sql-dialect.ts'

/**
 * The column where it is JSON, null elsewhere. Every stored text is JSON or empty, but where a question also says that the
 * column equals some text, SQLite puts that text in the column's place, and its JSON functions refuse what is none.
 */
const readable = (column: RawBuilder<unknown>) => sql`case when json_valid(${column}) then ${column} end`

/** How SQLite says it. A leading `+` takes a column's affinity away, so that values compare by their own type. */
export const sqliteDialect: SqlDialect = {
  json(column, path) {
    const pointer = `$${path.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `."${key}"`)).join('')}`
    const value = sql`json_extract(${readable(column)}, ${pointer})`
    return {
      rank: sql`case typeof(${value}) when 'null' then null when 'text' then 2 else 1 end`,
      number: sql`+${value}`,
      text: sql`cast(${value} as text)`,
    }
  },
  elements: (column, alias) => sql`json_each(${readable(column)}) as ${sql.ref(alias)}`,
  elementCount: (column) => sql`coalesce(json_array_length(${readable(column)}), 0)`,
  numberAsText: (number) => sql`cast(${number} as text)`,
  like: (text, pattern) => sql`(${text} like ${pattern} escape '\\')`,
  contains: (text, searched) => sql`(instr(lower(${text}), lower(${searched})) > 0)`,
  text: (text) => text,
  lower: (text) => sql`lower(${text})`,
  textParameter: (text) => sql`${text}`,
  numberParameter: (value) => sql`${value}`,
  holdsId: (column, id) => sql`(instr(${column}, ${`"${id}"`}) > 0)`,
  jsonOfText: (text) => sql`json_quote(coalesce(${text}, ''))`,
  // The shorter one where it is the same number. Adding 0 makes 0 of −0.
  jsonOfNumber: (number) =>
    sql`(case when cast(printf('%.15g', ${number}) as real) = ${number} then printf('%.15g', ${number} + 0) else printf('%!.17g', coalesce(${number}, 0)) end)`,
  joined: (text) => sql`cast(group_concat(${text}) as blob)`,
  // A transaction that writes is alone anyway.
  toChange: sql``,
  random: sql`random()`,
}
