import { sql } from 'kysely'
import type { SqlDialect } from '../sql-dialect.ts'

/**
 * SQL expressions of PostgreSQL in the form of {@link SqlDialect}. Collation "C" sorts and folds case by bytes, independent of the
 * database's own collation.
 */
export const postgresDialect: SqlDialect = {
  json(column, path) {
    const value = sql`(nullif(${column}, '')::json #> ${path}::text[])`
    const kind = sql`json_typeof(${value})`
    const plain = sql`(nullif(${column}, '')::json #>> ${path}::text[])`
    return {
      rank: sql`case ${kind} when 'null' then null when 'number' then 1 when 'boolean' then 1 else case when ${kind} is null then null else 2 end end`,
      number: sql`case ${kind} when 'number' then ${plain}::float8 when 'boolean' then ${plain}::boolean::int::float8 end`,
      text: sql`((case ${kind} when 'null' then null when 'boolean' then ${plain}::boolean::int::text else ${plain} end) collate "C")`,
    }
  },
  elements: (column, alias) => sql`lateral json_array_elements_text(nullif(${column}, '')::json) as ${sql.ref(alias)}(value)`,
  // An array: PostgreSQL estimates 100 rows for a set and would scan a whole table of a large fleet.
  isAmong: (text, list) => sql`${text} = any(array(select json_array_elements_text(nullif(${list}, '')::json)))`,
  elementCount: (column) => sql`coalesce(json_array_length(nullif(${column}, '')::json), 0)::float8`,
  // PostgreSQL writes a double of 10^15 and more with an exponent.
  numberAsText: (number) =>
    sql`((case when ${number} = trunc(${number}) and abs(${number}) < 9e18 then ${number}::bigint::text else ${number}::text end) collate "C")`,
  like: (text, pattern) => sql`(lower(${text} collate "C") like lower(${pattern} collate "C") escape '\\')`,
  contains: (text, searched) => sql`(strpos(lower(${text} collate "C"), lower(${searched} collate "C")) > 0)`,
  containsExactly: (text, searched) => sql`(strpos(coalesce(${text}, ''), ${searched}::text) > 0)`,
  text: (text) => sql`(${text} collate "C")`,
  lower: (text) => sql`lower(${text} collate "C")`,
  textParameter: (text) => sql`${text}::text collate "C"`,
  numberParameter: (value) => sql`${value}::float8`,
  holdsId: (column, id) => sql`(strpos(${column}, ${`"${id}"`}::text) > 0)`,
  jsonOfText: (text) => sql`to_json(coalesce(${text}, ''))::text`,
  // Adding 0 turns −0 into 0.
  jsonOfNumber: (number) => sql`(coalesce(${number}, 0)::float8 + 0)::text`,
  // Not `concat`, which calls the output function of each type and takes 10 % longer.
  concatenated: (texts) => sql`(${sql.join(texts, sql` || `)})`,
  // Text, not bytea: bytes arrive as twice as many hexadecimal digits.
  joined: (text) => sql`string_agg(${text}, ',')`,
  usedOnce: sql`materialized`,
  toChange: sql`for update`,
  random: sql`random()`,
}
