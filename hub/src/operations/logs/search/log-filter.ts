import { sql, type RawBuilder } from 'kysely'
import { ownValue } from '@vedette/protocol/own-value'
import type { Database } from '../../../platform/db/database.ts'
import { FilterError, refuseTooMuch } from '../../../records/filter/parse.ts'
import type { Compare, Condition, Plan, Term } from '../../../records/filter/plan.ts'
import type { RequestFacts } from '../../../records/filter/filter-names.ts'
import { resolver } from '../../../records/filter/resolve.ts'
import { sortSql, toSql } from '../../../records/filter/to-sql.ts'
import { parseSort } from '../../../records/reading/query.ts'
import { filterErrorsAre400 } from '../../../records/reading/memory-page.ts'
import type { SecretBox } from '../../../platform/secrets/secret-box.ts'
import { logCollections, logRecords } from './log-records.ts'
import { dateMs, type LogWindow } from '../log-table.ts'

/**
 * Inputs for compiling a log filter to SQL: the database, the current time (epoch ms), and `facts` of the request to which filters may
 * refer. `secrets` computes digests for fields that are stored as digests.
 */
export type LogFilterContext = {
  readonly database: Database
  readonly secrets: SecretBox
  readonly facts: RequestFacts
  readonly nowMs: number
}

export type CompiledLogFilter = {
  /**
   * SQL condition of the compiled log filter, which the caller puts into a `where` clause. It refers to the log rows by the SQL alias `r`.
   */
  readonly where: RawBuilder<unknown>
  /** ORDER BY list for the log rows, as an SQL expression: the requested sort order, then the row number. */
  readonly orderBy: RawBuilder<unknown>
  /**
   * Time range in epoch ms in which all entries that match the log filter lie, from its conditions on `created`. The search reads only that
   * range. `{}` (unlimited) without such conditions.
   */
  readonly window: LogWindow
}

const LONGEST_FILTER_BYTES = 3500
const MOST_COMPARISONS = 200

/**
 * Compiles a log filter and a sort order, both texts from the client, to an SQL condition, an ORDER BY list and a time range. Throws 400
 * for an invalid filter or sort order, and for a filter that cannot be evaluated in SQL.
 */
export function compiledLogFilter({ database, secrets, facts, nowMs }: LogFilterContext, filter: string, sort = ''): CompiledLogFilter {
  return filterErrorsAre400(() => {
    if (filter !== '') refuseTooMuch(filter, { bytes: LONGEST_FILTER_BYTES, comparisons: MOST_COMPARISONS })
    const resolving = resolver(logRecords, { collections: logCollections, facts, nowMs })
    const plan = resolving.plan(mapped(resolving.condition(filter, 'everything')))
    const order = parseSort(sort).flatMap(({ name, descending }) => {
      const direction = descending ? sql`desc nulls last` : sql`asc nulls first`
      return orderValues(plan, name, () => resolving.term(name, 'everything'), database).map((value) => sql`${value} ${direction}`)
    })
    if (plan.joins.length > 0) throw new FilterError('Cannot read the filter: the log stands alone')
    const { where, exact } = toSql(plan, database.dialect, secrets)
    if (!exact) throw new FilterError('Cannot read the filter: the log knows no functions')
    return { where, orderBy: sql.join([...order, sql`r.seq`]), window: windowOf(plan.condition) }
  })
}

/**
 * Set of the log fields `@rowid`, `id` and `created`, whose values grow with the row number. To sort by one of them, the database sorts by
 * row number, for which it has an index.
 */
const fieldsByRowNumber: ReadonlySet<string> = new Set(['@rowid', 'id', 'created'])

function orderValues(plan: Plan, name: string, term: () => Term, { dialect }: Database): readonly RawBuilder<unknown>[] {
  if (fieldsByRowNumber.has(name)) return [sql`r.seq`]
  if (name === '@random') return [dialect.random]
  const found = sortSql(plan, mappedTerm(term()), dialect)
  if (found === undefined || found.length === 0) throw new FilterError(`Cannot sort by "${name}"`)
  return found
}

/**
 * Map from the name of a field in a log entry's `data`, such as `userIP`, to the column of the log table with its value. A filter then uses
 * that column. The key `''` is the whole `data`.
 */
const columns: Readonly<Record<string, Pick<Extract<Term, { kind: 'column' }>, 'column' | 'type'> | undefined>> = {
  '': { column: 'data', type: 'text' },
  status: { column: 'status', type: 'number' },
  authId: { column: 'account', type: 'text' },
  userIP: { column: 'address', type: 'text' },
}

function mapped(condition: Condition): Condition {
  if ('parts' in condition) return { kind: condition.kind, parts: condition.parts.map(mapped) }
  // A log has no tags.
  if (condition.kind === 'labels') return condition
  return { ...condition, left: mappedTerm(condition.left), right: mappedTerm(condition.right) }
}

function mappedTerm(term: Term): Term {
  const path = term.kind === 'json' && term.join === 0 ? term.path.join('.') : undefined
  const column = path === undefined ? undefined : ownValue(columns, path)
  return column === undefined ? term : { kind: 'column', join: 0, ...column }
}

/**
 * Returns the time range (epoch ms) outside of which no log entry can match the filter `condition`; `{}` if unlimited. It comes from
 * comparisons of `created` by `<`, `<=`, `>` or `>=` that are joined by AND.
 */
function windowOf(condition: Condition): LogWindow {
  const parts = condition.kind === 'and' ? condition.parts : [condition]
  let window: LogWindow = {}
  for (const part of parts) {
    if (part.kind === 'and') window = overlap(window, windowOf(part))
    if (part.kind === 'compare') window = overlap(window, windowOfOne(part))
  }
  return window
}

const moments: Readonly<Record<string, ((atMs: number) => LogWindow) | undefined>> = {
  '>': (fromMs) => ({ fromMs }),
  '>=': (fromMs) => ({ fromMs }),
  '<': (atMs) => ({ toMs: atMs + 1000 }),
  '<=': (atMs) => ({ toMs: atMs + 1000 }),
}

/**
 * Returns the time range (epoch ms) in which a single comparison can be true, widened to whole seconds. It is unlimited (`{}`) unless the
 * comparison is of `created` by `<`, `<=`, `>` or `>=`.
 */
function windowOfOne({ left, comparison, right }: Compare): LogWindow {
  if (left.kind !== 'column' || left.column !== 'created' || right.kind !== 'constant') return {}
  const { value } = right.typed
  const second = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(typeof value === 'string' ? value : '')?.[0]
  const atMs = second === undefined ? Number.NaN : dateMs(`${second}Z`)
  return Number.isNaN(atMs) ? {} : (moments[comparison]?.(atMs) ?? {})
}

export function overlap(one: LogWindow, other: LogWindow): LogWindow {
  const fromMs = Math.max(one.fromMs ?? Number.NEGATIVE_INFINITY, other.fromMs ?? Number.NEGATIVE_INFINITY)
  const toMs = Math.min(one.toMs ?? Number.POSITIVE_INFINITY, other.toMs ?? Number.POSITIVE_INFINITY)
  return { ...(Number.isFinite(fromMs) ? { fromMs } : {}), ...(Number.isFinite(toMs) ? { toMs } : {}) }
}
