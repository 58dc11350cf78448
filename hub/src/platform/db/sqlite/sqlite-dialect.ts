import { sql, type RawBuilder } from 'kysely'
import type { SqlDialect } from '../sql-dialect.ts'

/**
 * Returns SQL that gives the column's text if it is valid JSON, else null. SQLite may replace a column by a text that the query compares it
 * with, and its JSON functions reject invalid JSON.
 */
const validJson = (column: RawBuilder<unknown>) => sql`case when json_valid(${column}) then ${column} end`

/**
 * SQL expressions of SQLite in the form of {@link SqlDialect}. A `+` before a column in them makes SQLite compare values by their own type,
 * not the column's (type affinity).
 */
export const sqliteDialect: SqlDialect = {
  json(column, path) {
    const pointer = `$${path.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `."${key}"`)).join('')}`
    const value = sql`json_extract(${validJson(column)}, ${pointer})`
    return {
      rank: sql`case typeof(${value}) when 'null' then null when 'text' then 2 else 1 end`,
      number: sql`+${value}`,
      text: sql`cast(${value} as text)`,
    }
  },
  elements: (column, alias) => sql`json_each(${validJson(column)}) as ${sql.ref(alias)}`,
  isAmong: (text, list) => sql`${text} in (select e.value from json_each(${validJson(list)}) as e)`,
  elementCount: (column) => sql`coalesce(json_array_length(${validJson(column)}), 0)`,
  numberAsText: (number) => sql`cast(${number} as text)`,
  like: (text, pattern) => sql`(${text} like ${pattern} escape '\\')`,
  contains: (text, searched) => sql`(instr(lower(${text}), lower(${searched})) > 0)`,
  containsExactly: (text, searched) => sql`(instr(coalesce(${text}, ''), ${searched}) > 0)`,
  text: (text) => text,
  lower: (text) => sql`lower(${text})`,
  textParameter: (text) => sql`${text}`,
  numberParameter: (value) => sql`${value}`,
  holdsId: (column, id) => sql`(instr(${column}, ${`"${id}"`}) > 0)`,
  jsonOfText: (text) => sql`json_quote(coalesce(${text}, ''))`,
  // Prefers 15 digits if they give the same number. Adding 0 turns −0 into 0.
  jsonOfNumber: (number) =>
    sql`(case when cast(printf('%.15g', ${number}) as real) = ${number} then printf('%.15g', ${number} + 0) else printf('%!.17g', coalesce(${number}, 0)) end)`,
  // `||` would copy the text so far for each part: 20 to 25 % more time for the JSON of a list of systems.
  concatenated: (texts) => sql`concat(${sql.join(texts)})`,
  joined: (text) => sql`cast(group_concat(${text}) as blob)`,
  usedOnce: sql`not materialized`,
  // No row locks needed: write transactions run one after the other on SQLite.
  toChange: sql``,
  random: sql`random()`,
}
