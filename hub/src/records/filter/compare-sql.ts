import { type RawBuilder, sql } from 'kysely'
import type { DynamicSql, SqlDialect } from '../../platform/db/sql-dialect.ts'
import { LONGEST_PATTERN, type TypedValue, type Value, beside, likePattern, orderable } from './comparison.ts'
import type { Comparison } from './parse.ts'

type Sql = RawBuilder<unknown>

/**
 * SQL for one side of a comparison in a filter: a `constant`, an expression of type `text` or `number`, or expressions for a `json` value.
 * The expressions are null where a relation leads to no record.
 */
export type SqlTerm =
  | { readonly kind: 'constant'; readonly typed: TypedValue }
  | { readonly kind: 'text' | 'number'; readonly value: Sql }
  | { readonly kind: 'json'; readonly json: DynamicSql }

const FALSE = sql`1 = 0`

/**
 * Returns the SQL condition of a comparison in a filter. It is true for a row exactly if the function `holds` is true for the loaded
 * record; null counts as false.
 */
export function compareSql(left: SqlTerm, comparison: Comparison, right: SqlTerm, dialect: SqlDialect): Sql {
  switch (comparison) {
    case '=':
      return equalSql(left, right, dialect)
    case '!=':
      return sql`(${equalSql(left, right, dialect)}) is not true`
    case '~':
      return alikeSql(left, right, dialect, true)
    case '!~':
      return alikeSql(left, right, dialect, false)
    default:
      return orderSql(left, comparison, right, dialect)
  }
}

function equalSql(left: SqlTerm, right: SqlTerm, dialect: SqlDialect): Sql {
  if (left.kind === 'constant' && right.kind !== 'constant') return equalSql(right, left, dialect)
  if (left.kind === 'json' || right.kind === 'json') return identicalSql(left, right, dialect)
  if (left.kind === 'constant' || left.kind === right.kind) return sameKindSql(left, right, dialect)
  if (right.kind === 'constant') return equalsConstantSql(left, right.typed.value, dialect)
  const [number, text] = left.kind === 'number' ? [left, right] : [right, left]
  return sql`(${number.value} is null and coalesce(${text.value}, '') = '')`
}

function sameKindSql(left: SqlTerm, right: SqlTerm, dialect: SqlDialect): Sql {
  if (left.kind === 'text' && right.kind === 'text') return sql`coalesce(${left.value}, '') = coalesce(${right.value}, '')`
  if (left.kind === 'number' && right.kind === 'number') return sql`${left.value} is not distinct from ${right.value}`
  return identicalSql(left, right, dialect)
}

function equalsConstantSql({ kind, value }: Extract<SqlTerm, { value: Sql }>, given: Value, dialect: SqlDialect): Sql {
  const constant = beside(given, kind) ?? ''
  if (constant === '') return kind === 'text' ? sql`coalesce(${value}, '') = ''` : sql`${value} is null`
  if (kind === 'text') return typeof constant === 'string' ? sql`${value} = ${dialect.textParameter(constant)}` : FALSE
  return typeof constant === 'number' ? sql`${value} = ${dialect.numberParameter(constant)}` : FALSE
}

/**
 * Returns the SQL condition that the two sides of a comparison in a filter are equal, if at least one is a JSON value. Type and value must
 * be equal; null equals null.
 */
function identicalSql(left: SqlTerm, right: SqlTerm, dialect: SqlDialect): Sql {
  if (right.kind === 'constant' && right.typed.value === null) return sql`${dynamicTerm(left, dialect).rank} is null`
  const one = dynamicTerm(left, dialect)
  const other = dynamicTerm(right, dialect)
  const both = sql`(${one.rank} = ${other.rank} and case ${one.rank} when 1 then ${one.number} = ${other.number} else ${one.text} = ${other.text} end)`
  return right.kind === 'constant' ? both : sql`(${both} or (${one.rank} is null and ${other.rank} is null))`
}

/**
 * Returns three SQL expressions for one side of a comparison in a filter, when the sides' types differ or vary by record. `rank` is its
 * type (null, 1 number, 2 text); `number` and `text` are its value as that type.
 */
function dynamicTerm(term: SqlTerm, dialect: SqlDialect): DynamicSql {
  const nothing = { number: dialect.numberParameter(0), text: dialect.textParameter('') }
  switch (term.kind) {
    case 'json':
      return term.json
    case 'text':
      return { ...nothing, rank: sql`(case when ${term.value} is null then null else 2 end)`, text: term.value }
    case 'number':
      return { ...nothing, rank: sql`(case when ${term.value} is null then null else 1 end)`, number: term.value }
    case 'constant': {
      const { value } = term.typed
      if (typeof value === 'number') return { ...nothing, rank: sql`1`, number: dialect.numberParameter(value) }
      if (typeof value === 'string') return { ...nothing, rank: sql`2`, text: dialect.textParameter(value) }
      return { ...nothing, rank: sql`null` }
    }
  }
}

const operators = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const
const strict = { '<': sql`<`, '<=': sql`<`, '>': sql`>`, '>=': sql`>` } as const

function orderSql(left: SqlTerm, comparison: '<' | '<=' | '>' | '>=', right: SqlTerm, dialect: SqlDialect): Sql {
  const one = typedConstant(left, right)
  const other = typedConstant(right, left)
  if (isNull(one) || isNull(other)) return FALSE
  const operator = operators[comparison]
  const kinds = [kindOf(one), kindOf(other)]
  if (kinds[0] === kinds[1] && kinds[0] !== 'json') return sql`${plain(one, dialect)} ${operator} ${plain(other, dialect)}`
  const [a, b] = [dynamicTerm(one, dialect), dynamicTerm(other, dialect)]
  return sql`(${a.rank} ${strict[comparison]} ${b.rank} or (${a.rank} = ${b.rank} and case ${a.rank} when 1 then ${a.number} ${operator} ${b.number} else ${a.text} ${operator} ${b.text} end))`
}

/**
 * Converts a constant in a filter for `<` and `>` to the type of the comparison's other side. Returns a side that is no constant unchanged.
 */
function typedConstant(term: SqlTerm, other: SqlTerm): SqlTerm {
  if (term.kind !== 'constant') return term
  return { kind: 'constant', typed: { type: 'constant', value: orderable(term.typed, other.kind) } }
}

function isNull(term: SqlTerm): boolean {
  return term.kind === 'constant' && term.typed.value === null
}

function kindOf(term: SqlTerm): 'text' | 'number' | 'json' {
  if (term.kind !== 'constant') return term.kind
  return typeof term.typed.value === 'number' ? 'number' : 'text'
}

function plain(term: SqlTerm, dialect: SqlDialect): Sql {
  if (term.kind === 'json') return term.json.text
  if (term.kind !== 'constant') return term.value
  const { value } = term.typed
  return typeof value === 'number' ? dialect.numberParameter(value) : dialect.textParameter(value ?? '')
}

function alikeSql(left: SqlTerm, right: SqlTerm, dialect: SqlDialect, wanted: boolean): Sql {
  if (isNull(left) || isNull(right)) return FALSE
  const text = asTextSql(left, dialect)
  const found = searchSql(text, right, dialect)
  return wanted ? found : sql`not (${found})`
}

function searchSql(text: Sql, searched: SqlTerm, dialect: SqlDialect): Sql {
  if (searched.kind !== 'constant') {
    // The value of a column is also a LIKE pattern. Databases reject very long patterns.
    const column = asTextSql(searched, dialect)
    return sql`(case when length(${column}) <= ${sql.lit(LONGEST_PATTERN)} then ${dialect.like(text, sql`('%' || ${column} || '%')`)} else ${dialect.contains(text, column)} end)`
  }
  return dialect.like(text, dialect.textParameter(likePattern(String(searched.typed.value))))
}

function asTextSql(term: SqlTerm, dialect: SqlDialect): Sql {
  if (term.kind === 'number') return dialect.numberAsText(term.value)
  if (term.kind === 'constant') return dialect.textParameter(String(term.typed.value ?? ''))
  return plain(term, dialect)
}
