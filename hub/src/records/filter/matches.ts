import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../model/json-value.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { holds, type Typed, type Value } from './comparison.ts'
import { callFunction } from './functions.ts'
import { FilterError } from './lex.ts'
import { chain, joinsOf, joinsOfTerm, type Compare, type Condition, type Join, type Plan, type Term } from './plan.ts'
import { idsIn, type Bound, type Related } from './related.ts'
import { asValue } from './request-facts.ts'

/** What one record may cost; a filter that relates everything with everything is refused, not worked off. */
export const MOST_STEPS = 100_000
/** Characters that a search may look at in one step: of the text, once for each of the pattern. */
const SEARCHED_A_STEP = 1000

/** Steps that are left: every row and every comparison is one, a search through a long text is more. Counted down. */
export type Budget = { steps: number }

type Row = ReadonlyMap<number, Bound>

/** Whether a record is one of a filter's. Throws {@link FilterError} when it is too costly. */
export type Matches = (record: StoredRecord, related: Related, budget?: Budget) => boolean

/** The filter, read once for many records: the same as the rows that `to-sql` selects. */
export function matcher(plan: Plan): Matches {
  const reached = joinsOf(plan, plan.condition)
  return (record, related, budget = { steps: MOST_STEPS }) => {
    const check = (condition: Condition, row: Row): boolean => {
      if (condition.kind === 'compare') return compare(condition, row, budget) && (condition.every.length === 0 || everyRow(condition))
      return condition.kind === 'and' ? condition.parts.every((part) => check(part, row)) : condition.parts.some((part) => check(part, row))
    }
    const everyRow = (condition: Compare): boolean => {
      const joins = [...new Set(condition.every.flatMap((id) => chain(plan.joins, id)))]
      return !someRow(joins, start(record), { related, budget }, (row) => !compare(condition, row, budget))
    }
    return someRow(reached, start(record), { related, budget }, (row) => check(plan.condition, row))
  }
}

/** What a name is worth for a record, for a sort: of many values the first. */
export function valuer(plan: Plan, term: Term): (record: StoredRecord, related: Related) => Value {
  const joins = joinsOfTerm(term).flatMap((id) => chain(plan.joins, id))
  return (record, related) => {
    let value: Value = null
    someRow(joins, start(record), { related, budget: { steps: MOST_STEPS } }, (row) => {
      value = termValue(term, row)?.value ?? null
      return true
    })
    return value
  }
}

function start(record: StoredRecord): Row {
  return new Map([[0, { record }]])
}

type Walk = { readonly related: Related; readonly budget: Budget }

/** Walks the rows of the joins, as left joins make them, until one satisfies. */
function someRow([join, ...rest]: readonly Join[], row: Row, walk: Walk, satisfied: (row: Row) => boolean): boolean {
  if (join === undefined) {
    spend(walk.budget, 1)
    return satisfied(row)
  }
  return walk.related(join, row.get(join.parent) ?? {}).some((bound) => someRow(rest, new Map([...row, [join.id, bound]]), walk, satisfied))
}

function spend(budget: Budget, steps: number): void {
  // Counted down on purpose: one budget for all that a question costs.
  budget.steps -= steps
  if (budget.steps < 0) throw new FilterError('Cannot evaluate the filter: it is too much work')
}

function compare({ left, comparison, right }: Compare, row: Row, budget: Budget): boolean {
  const one = termValue(left, row)
  const other = termValue(right, row)
  const searches = comparison === '~' || comparison === '!~'
  spend(budget, 1 + (searches ? Math.floor((lengthOf(one) * lengthOf(other)) / SEARCHED_A_STEP) : 0))
  return one !== undefined && other !== undefined && holds(one, comparison, other)
}

function lengthOf(typed: Typed | undefined): number {
  return typeof typed?.value === 'string' ? typed.value.length : 1
}

function termValue(term: Term, row: Row): Typed | undefined {
  switch (term.kind) {
    case 'never':
      return undefined
    case 'constant':
      return term.typed
    case 'element':
      return { type: 'text', value: row.get(term.join)?.element ?? null }
    case 'call':
      return calledValue(term, row)
    default:
      return fieldValue(term, row.get(term.join)?.record)
  }
}

function calledValue({ name, values, nowMs }: Extract<Term, { kind: 'call' }>, row: Row): Typed | undefined {
  const known = values.flatMap((one) => termValue(one, row) ?? [])
  return known.length < values.length ? undefined : callFunction(name, known, nowMs)
}

function fieldValue(term: Exclude<Term, { kind: 'never' | 'constant' | 'element' | 'call' }>, record: StoredRecord | undefined): Typed {
  const value = ownValue(record, term.column)
  switch (term.kind) {
    case 'column':
      return { type: term.type, value: isShown(term, record) ? asValue(value) : null }
    case 'secret':
      return { type: 'text', value: asValue(value) }
    case 'lower':
      return { type: 'text', value: isShown(term, record) ? lower(value) : null }
    case 'count':
      return { type: 'number', value: idsIn(value).length }
    case 'json':
      return { type: 'json', value: asValue(at(value, term.path)) }
  }
}

function isShown({ shownBy }: { readonly shownBy?: string }, record: StoredRecord | undefined): boolean {
  return shownBy === undefined || ownValue(record, shownBy) === true
}

function lower(value: Json | undefined): Value {
  const text = asValue(value)
  return text === null ? null : String(text).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** What stands at a path; a whole number is the place in a list, not a key. */
function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => {
    if (/^\d+$/.test(key)) return Array.isArray(inner) ? inner[Number(key)] : undefined
    return isJsonObject(inner) ? ownValue(inner, key) : undefined
  }, value)
}
