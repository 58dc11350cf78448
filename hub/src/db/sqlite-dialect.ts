import { sql } from 'kysely'
import type { SqlDialect } from './sql-dialect.ts'

/** How SQLite says it. A leading `+` takes a column's affinity away, so that values compare by their own type. */
export const sqliteDialect: SqlDialect = {
  json(column, path) {
    const pointer = `$${path.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `."${key}"`)).join('')}`
    const value = sql`json_extract(nullif(${column}, ''), ${pointer})`
    return {
      rank: sql`case typeof(${value}) when 'null' then null when 'text' then 2 else 1 end`,
      number: sql`+${value}`,
      text: sql`cast(${value} as text)`,
    }
  },
  elements: (column, alias) => sql`json_each(case ${column} when '' then null else ${column} end) as ${sql.ref(alias)}`,
  elementCount: (column) => sql`coalesce(json_array_length(nullif(${column}, '')), 0)`,
  numberAsText: (number) => sql`cast(${number} as text)`,
  like: (text, pattern) => sql`(${text} like ${pattern} escape '\\')`,
  contains: (text, searched) => sql`(instr(lower(${text}), lower(${searched})) > 0)`,
  text: (text) => text,
  lower: (text) => sql`lower(${text})`,
  textParameter: (text) => sql`${text}`,
  numberParameter: (value) => sql`${value}`,
  random: sql`random()`,
}
