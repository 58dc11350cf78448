import { sql, type RawBuilder } from 'kysely'
import type { SqlDialect } from '../../platform/db/sql-dialect.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { digestColumn } from '../model/collection.ts'
import { compareSql, type SqlTerm } from './compare-sql.ts'
import { holds } from './comparison.ts'
import {
  joinsBeside,
  listedIds,
  type ListedIds,
  chain,
  joinsOfTerm,
  joinsOfTest,
  type Compare,
  type Condition,
  type Join,
  type LabelTest,
  type Plan,
  type Term,
} from './plan.ts'
import { labelTestSql } from './label-test.ts'

type Sql = RawBuilder<unknown>

export type SqlCondition = {
  /**
   * SQL condition, made from a filter, for rows with the alias `r`. If `exact` is false, it may match more records than the filter, so test
   * the loaded records with the filter again (`matcher`).
   */
  readonly where: Sql
  /** True when the SQL condition matches exactly the records of the filter, so that loaded records need no further check. */
  readonly exact: boolean
}

type Compiling = { readonly plan: Plan; readonly dialect: SqlDialect; readonly secrets: SecretBox; readonly listed: ListedIds }

/**
 * Converts a filter's plan to an SQL condition. Comparisons that the database cannot evaluate are left out, and `exact` is then false: the
 * condition matches more records than the filter, never fewer.
 */
export function toSql(plan: Plan, dialect: SqlDialect, secrets: SecretBox): SqlCondition {
  const listed = listedIds(plan)
  const compiling = { plan, dialect, secrets, listed }
  const left = { exact: true }
  const condition = conditionSql(compiling, plan.condition, left)
  const joins = joinsBeside(plan, listed).filter(({ id }) => inSql(plan, id))
  const where =
    joins.length === 0
      ? condition
      : sql`exists (select 1 from (select 1 as one) as one ${joinsSql(joins, dialect, 'j')} where ${condition})`
  return { where, exact: left.exact }
}

/**
 * Returns the SQL expressions to sort by for a term such as `system.name`; none for a constant. `undefined` if SQL cannot compute it, as
 * for secrets. Of several related records the oldest one counts, of several ids the smallest.
 */
export function sortSql(plan: Plan, term: Term, dialect: SqlDialect): readonly Sql[] | undefined {
  const joins = joinsOfTerm(term).flatMap((id) => chain(plan.joins, id))
  if (term.kind === 'secret' || term.kind === 'never' || term.kind === 'call' || joins.some(({ id }) => !inSql(plan, id))) return undefined
  const found = termSql(term, dialect, 'j')
  const values =
    found.kind === 'json' ? [found.json.rank, found.json.number, found.json.text] : found.kind === 'constant' ? [] : [found.value]
  if (joins.length === 0) return values
  const ages = joins.filter(({ step }) => step.kind === 'back' || step.kind === 'all').map(({ id }) => columnOf(id, 'seq', 'j'))
  const from = sql`from (select 1 as one) as one ${joinsSql(joins, dialect, 'j')}`
  if (ages.length > 0) return values.map((value) => sql`(select ${value} ${from} order by ${sql.join(ages)} limit 1)`)
  return values.map((value) => sql`(select min(${value}) ${from})`)
}

function conditionSql(compiling: Compiling, condition: Condition, left: { exact: boolean }): Sql {
  if (!('parts' in condition)) return testSql(compiling, condition, left)
  const parts = condition.parts.map((part) => conditionSql(compiling, part, left))
  if (parts.length === 0) return condition.kind === 'and' ? sql`1 = 1` : sql`1 = 0`
  return sql`(${sql.join(parts, condition.kind === 'and' ? sql` and ` : sql` or `)})`
}

function testSql({ plan, dialect, secrets, listed }: Compiling, test: Compare | LabelTest, left: { exact: boolean }): Sql {
  const search = test.kind === 'compare' ? listed.get(test) : undefined
  if (search !== undefined && inSql(plan, search.join)) return dialect.holdsId(columnOf(search.parent, search.column, 'j'), search.id)
  const once = (prefix: string): Sql | undefined =>
    test.kind === 'compare'
      ? compareTerms(test, { dialect, secrets, prefix })
      : labelTestSql(test, columnOf(test.join, test.column, prefix), dialect)
  const involved = joinsOfTest(test)
  const one = involved.every((id) => id === 0 || inSql(plan, id)) ? once('j') : undefined
  if (one === undefined) {
    // Changed on purpose: all comparisons of the filter share one flag.
    left.exact = false
    return sql`1 = 1`
  }
  if (test.every.length === 0) return one
  const joins = [...new Set(test.every.flatMap((id) => chain(plan.joins, id)))].toSorted((a, b) => a.id - b.id)
  const all = sql`not exists (select 1 from (select 1 as one) as one ${joinsSql(joins, dialect, 'e')} where (${once('e') ?? one}) is not true)`
  return sql`(${one} and ${all})`
}

type SqlContext = { readonly dialect: SqlDialect; readonly secrets: SecretBox; readonly prefix: string }

function compareTerms({ left, comparison, right }: Compare, { dialect, secrets, prefix }: SqlContext): Sql | undefined {
  if (left.kind === 'call' || right.kind === 'call') return undefined
  if (left.kind === 'never' || right.kind === 'never') return sql`1 = 0`
  if (left.kind === 'constant' && right.kind === 'constant') return holds(left.typed, comparison, right.typed) ? sql`1 = 1` : sql`1 = 0`
  if (left.kind === 'secret' || right.kind === 'secret') return secretSql(left, comparison, right, { secrets, prefix })
  return compareSql(termSql(left, dialect, prefix), comparison, termSql(right, dialect, prefix), dialect)
}

/**
 * Returns SQL that compares an encrypted field with a constant by its digest, for `=` and `!=`. `undefined` for all other comparisons of
 * secrets, which need the decrypted record.
 */
function secretSql(
  left: Term,
  comparison: Compare['comparison'],
  right: Term,
  { secrets, prefix }: Omit<SqlContext, 'dialect'>,
): Sql | undefined {
  const [secret, other] = left.kind === 'secret' ? [left, right] : [right, left]
  if (secret.kind !== 'secret' || other.kind !== 'constant' || (comparison !== '=' && comparison !== '!=')) return undefined
  const value = other.typed.value ?? ''
  const digest =
    value === '' ? '' : typeof value === 'string' ? secrets.digest(`${secret.collection.name}.${secret.column}`, value) : undefined
  const column = sql`coalesce(${columnOf(secret.join, digestColumn(secret.column), prefix)}, '')`
  if (digest === undefined) return comparison === '=' ? sql`1 = 0` : sql`1 = 1`
  return comparison === '=' ? sql`${column} = ${digest}` : sql`${column} <> ${digest}`
}

function termSql(term: Exclude<Term, { kind: 'secret' | 'never' | 'call' }>, dialect: SqlDialect, prefix: string): SqlTerm {
  switch (term.kind) {
    case 'constant':
      return { kind: 'constant', typed: term.typed }
    case 'labels':
      return { kind: 'text', value: columnOf(term.join, term.column, prefix) }
    case 'column':
      return { kind: term.type, value: shownColumn(term, prefix) }
    case 'element':
      return { kind: 'text', value: dialect.text(columnOf(term.join, 'value', prefix)) }
    case 'lower':
      return { kind: 'text', value: dialect.lower(lowerable(term, dialect, prefix)) }
    case 'count':
      return { kind: 'number', value: countSql(columnOf(term.join, term.column, prefix), term.list, dialect) }
    case 'json':
      return { kind: 'json', json: dialect.json(columnOf(term.join, term.column, prefix), term.path) }
  }
}

function lowerable(term: Extract<Term, { kind: 'lower' }>, dialect: SqlDialect, prefix: string): Sql {
  const column = shownColumn(term, prefix)
  return term.isNumber === true ? dialect.numberAsText(column) : column
}

function shownColumn(term: Extract<Term, { kind: 'column' | 'lower' }>, prefix: string): Sql {
  const column = columnOf(term.join, term.column, prefix)
  return term.shownBy === undefined ? column : sql`(case when ${columnOf(term.join, term.shownBy, prefix)} = 1 then ${column} end)`
}

function countSql(column: Sql, list: boolean, dialect: SqlDialect): Sql {
  return list ? dialect.elementCount(column) : sql`(case when coalesce(${column}, '') = '' then 0 else 1 end)`
}

function columnOf(join: number, column: string, prefix: string): Sql {
  return sql.ref(join === 0 ? `r.${column}` : `${prefix}${join}.${column}`)
}

function joinsSql(joins: readonly Join[], dialect: SqlDialect, prefix: string): Sql {
  return sql.join(
    joins.map((join) => joinSql(join, dialect, prefix)),
    sql` `,
  )
}

function joinSql({ id, parent, step }: Join, dialect: SqlDialect, prefix: string): Sql {
  const alias = `${prefix}${id}`
  const column = (name: string): Sql => columnOf(parent, name, prefix)
  switch (step.kind) {
    case 'each':
      return sql`left join ${dialect.elements(column(step.field.name), alias)} on 1 = 1`
    case 'record': {
      const value = step.from === 'element' ? dialect.text(column('value')) : column(step.from.name)
      return sql`left join ${sql.table(step.collection.name)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.id`)} = ${value}`
    }
    case 'back': {
      const own = sql.ref(`${alias}.${step.field.name}`)
      const refers =
        step.field.many === true
          ? sql`exists (select 1 from ${dialect.elements(own, 'x')} where ${dialect.text(sql.ref('x.value'))} = ${column('id')})`
          : sql`${own} = ${column('id')}`
      return sql`left join ${sql.table(step.collection.name)} as ${sql.ref(alias)} on ${refers}`
    }
    case 'all':
      return sql`left join ${sql.table(step.collection.name)} as ${sql.ref(alias)} on 1 = 1`
  }
}

/**
 * Returns true if SQL can follow the filter's join `id` and its parents. They must lead only to collections with a table, and to records
 * that need no check whether the user may list them.
 */
function inSql(plan: Plan, id: number): boolean {
  return chain(plan.joins, id).every(({ step, bound }) => !bound && (!('collection' in step) || step.collection.storage === 'table'))
}
