import { type RawBuilder, sql } from 'kysely'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { SqlDialect } from '../../platform/db/sql-dialect.ts'
import { compareSql } from './compare-sql.ts'
import { holds } from './comparison.ts'
import type { LabelTest } from './plan.ts'

type Sql = RawBuilder<unknown>

/**
 * Returns true when the value of a field that has a list of tags passes a tag test of a filter. Any other value, such as null, counts as an
 * empty list.
 */
export function passesLabelTest({ searched, wanted }: LabelTest, value: Json | undefined): boolean {
  return isFound(searched, Array.isArray(value) ? value : []) === wanted
}

function isFound(searched: LabelTest['searched'], list: readonly Json[]): boolean {
  for (const tag of list) {
    if (typeof tag !== 'string') continue
    if ('tags' in searched ? searched.tags.has(tag) : holds({ type: 'text', value: tag }, '~', searched.part)) return true
  }
  return false
}

/** Returns the texts in the value of a field with a list of tags; an empty list for any other value. */
export const labelsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : []

/**
 * Maximum number of tags, 4, for which a filter's SQL searches each in the JSON text of the column. For more, it unpacks the column's JSON
 * list.
 */
const MOST_SEARCHED = 4

/** Returns the SQL condition that the list of tags in a column passes a filter's tag test. It is true or false, never SQL null. */
export function labelTestSql({ searched, wanted }: LabelTest, column: Sql, dialect: SqlDialect): Sql {
  const found = foundSql(searched, column, dialect)
  return wanted ? found : sql`not ${found}`
}

function foundSql(searched: LabelTest['searched'], column: Sql, dialect: SqlDialect): Sql {
  const tag = dialect.text(sql.ref('t.value'))
  const someTag = (condition: Sql): Sql => sql`exists (select 1 from ${dialect.elements(column, 't')} where ${condition})`
  if ('part' in searched) return someTag(compareSql({ kind: 'text', value: tag }, '~', { kind: 'constant', typed: searched.part }, dialect))
  const tags = [...searched.tags]
  if (tags.length === 0) return sql`(1 = 0)`
  if (tags.length > MOST_SEARCHED) return someTag(dialect.isAmong(tag, dialect.textParameter(JSON.stringify(tags))))
  // A tag contains no quote, so its JSON text is found only as a whole element.
  const each = tags.map((one) => dialect.containsExactly(column, JSON.stringify(one)))
  return sql`(${sql.join(each, sql` or `)})`
}
