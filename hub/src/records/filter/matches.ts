import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { type TypedValue, type Value, holds, type Budget, MOST_MATCH_STEPS, spend } from './comparison.ts'
import { callFunction } from './functions.ts'
import {
  folded,
  joinsBeside,
  type ListedId,
  listedIds,
  type Compare,
  type Condition,
  type Join,
  type LabelTest,
  type Plan,
  type Term,
  chain,
  joinsOfTerm,
} from './plan.ts'
import { labelsIn, passesLabelTest } from './label-test.ts'
import { asValue } from './filter-names.ts'
import type { Collection, Field } from '../model/collection.ts'
import { isJsonObject } from '../../platform/json.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { LONGEST_TAG } from '../model/tag.ts'

/**
 * Number of character comparisons of a text search (operator `~`) that count as one step of a filter's budget: 1,000. The comparisons are
 * estimated as text length times pattern length.
 */
const SEARCHED_A_STEP = 1000

/**
 * Linked list with one related record for each join that a filter's evaluation has followed so far. `bound` is the record or id chosen for
 * the join with the id `join`; `before` is the list for the earlier joins.
 */
type Row = { readonly join: number; readonly bound: JoinRow; readonly before?: Row }

function boundTo(row: Row | undefined, join: number): JoinRow | undefined {
  for (let at = row; at !== undefined; at = at.before) if (at.join === join) return at.bound
  return undefined
}

/**
 * Function that takes a loaded record and the lookup of its related records, and returns true when the record matches a filter. Throws
 * FilterError beyond `budget` (default 100,000 steps). `joins` are the filter's joins whose related records must be loaded before.
 */
export type Matches = ((record: StoredRecord, related: JoinLookup, budget?: Budget) => boolean) & { readonly joins: readonly Join[] }

/**
 * Compiles the plan of a filter to a function that tests loaded records. It gives the same result as the exact SQL condition of an equal
 * plan (`toSql`).
 */
export function matcher(plan: Plan): Matches {
  const small = { ...plan, condition: folded(plan.condition) }
  const listed = listedIds(small)
  const joins = joinsBeside(small, listed)
  const matches = (record: StoredRecord, related: JoinLookup, budget: Budget = { steps: MOST_MATCH_STEPS }): boolean => {
    const check = (condition: Condition, row: Row): boolean => {
      if (!('parts' in condition)) {
        const search = condition.kind === 'compare' ? listed.get(condition) : undefined
        if (search !== undefined) return hasId(search, row, budget)
        return passes(condition, row, budget) && (condition.every.length === 0 || everyRow(condition))
      }
      return condition.kind === 'and' ? condition.parts.every((part) => check(part, row)) : condition.parts.some((part) => check(part, row))
    }
    const everyRow = (condition: Compare | LabelTest): boolean => {
      const each = [...new Set(condition.every.flatMap((id) => chain(plan.joins, id)))]
      return !someRow({ joins: each, related, budget }, 0, start(record), (row) => !passes(condition, row, budget))
    }
    return someRow({ joins, related, budget }, 0, start(record), (row) => check(small.condition, row))
  }
  return Object.assign(matches, { joins })
}

/**
 * Returns a function that computes a sort key such as `system.name` (`term`) of a record, given a function that looks up its related
 * records. Among several related values the first counts.
 */
export function valuer(plan: Plan, term: Term): (record: StoredRecord, related: JoinLookup) => Value {
  const joins = joinsOfTerm(term).flatMap((id) => chain(plan.joins, id))
  return (record, related) => {
    let value: Value = null
    someRow({ joins, related, budget: { steps: MOST_MATCH_STEPS } }, 0, start(record), (row) => {
      value = termValue(term, row)?.value ?? null
      return true
    })
    return value
  }
}

function start(record: StoredRecord): Row {
  return { join: 0, bound: { record } }
}

type Walk = { readonly joins: readonly Join[]; readonly related: JoinLookup; readonly budget: Budget }

/**
 * Returns true if `satisfied` is true for some combination of related records, one for each join of the filter. It calls itself for each
 * join; `depth` is the join's index, and `before` has the records chosen so far.
 */
function someRow(walk: Walk, depth: number, before: Row, satisfied: (row: Row) => boolean): boolean {
  const join = walk.joins[depth]
  if (join === undefined) {
    spend(walk.budget, 1)
    return satisfied(before)
  }
  const from = boundTo(before, join.parent) ?? {}
  return walk.related(join, from).some((bound) => someRow(walk, depth + 1, { join: join.id, bound, before }, satisfied))
}

function hasId({ parent, column, id }: ListedId, row: Row, budget: Budget): boolean {
  const ids = ownValue(boundTo(row, parent)?.record, column)
  spend(budget, 1 + (Array.isArray(ids) ? ids.length : 0))
  return Array.isArray(ids) ? ids.includes(id) : ids === id
}

function passes(test: Compare | LabelTest, row: Row, budget: Budget): boolean {
  if (test.kind === 'compare') return compare(test, row, budget)
  const value = ownValue(boundTo(row, test.join)?.record, test.column)
  const length = Array.isArray(value) ? value.length : 0
  spend(budget, 1 + ('part' in test.searched ? Math.ceil((length * LONGEST_TAG * lengthOf(test.searched.part)) / SEARCHED_A_STEP) : length))
  return passesLabelTest(test, value)
}

function compare({ left, comparison, right }: Compare, row: Row, budget: Budget): boolean {
  const one = termValue(left, row)
  const other = termValue(right, row)
  const searches = comparison === '~' || comparison === '!~'
  spend(budget, 1 + (searches ? Math.floor((lengthOf(one) * lengthOf(other)) / SEARCHED_A_STEP) : 0))
  return one !== undefined && other !== undefined && holds(one, comparison, other)
}

function lengthOf(typed: TypedValue | undefined): number {
  return typeof typed?.value === 'string' ? typed.value.length : 1
}

function termValue(term: Term, row: Row): TypedValue | undefined {
  switch (term.kind) {
    case 'never':
      return undefined
    case 'constant':
      return term.typed
    case 'element':
      return { type: 'text', value: boundTo(row, term.join)?.element ?? null }
    case 'call':
      return calledValue(term, row)
    default:
      return fieldValue(term, boundTo(row, term.join)?.record)
  }
}

function calledValue({ name, values, nowMs }: Extract<Term, { kind: 'call' }>, row: Row): TypedValue | undefined {
  const known = values.flatMap((one) => termValue(one, row) ?? [])
  return known.length < values.length ? undefined : callFunction(name, known, nowMs)
}

function fieldValue(
  term: Exclude<Term, { kind: 'never' | 'constant' | 'element' | 'call' }>,
  record: StoredRecord | undefined,
): TypedValue {
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
    case 'labels':
      // The text of the column, for sorting.
      return { type: 'text', value: record === undefined ? null : labelsIn(value).length === 0 ? '' : asValue(value) }
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

/**
 * Returns the value at a path inside a JSON value of a record, such as `['cpu', '0']`; `undefined` if there is none. A whole number in the
 * path is a list index, never an object's key.
 */
function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => {
    if (/^\d+$/.test(key)) return Array.isArray(inner) ? inner[Number(key)] : undefined
    return isJsonObject(inner) ? ownValue(inner, key) : undefined
  }, value)
}

/**
 * Functions that load related records for filters and access rules: by ids (`loadMany`), by a relation field to ids (`loadReferring`), or
 * all of a collection. `listable` removes records that the requesting user may not list.
 */
export type RelatedRecords = {
  readonly loadMany: (collection: Collection, ids: readonly string[]) => Promise<readonly StoredRecord[]>
  readonly loadReferring: (collection: Collection, field: Field, ids: readonly string[]) => Promise<readonly StoredRecord[]>
  readonly loadAll: (collection: Collection) => Promise<readonly StoredRecord[]>
  /** Function that resolves to those of the given records of a collection that the requesting user may list, in their order. */
  readonly listable: (collection: Collection, records: readonly StoredRecord[]) => Promise<readonly StoredRecord[]>
}

/** One result of following a join of a filter: `record`, or `element` for an id in a list of ids. Both are absent if nothing is related. */
export type JoinRow = { readonly record?: StoredRecord | undefined; readonly element?: string | undefined }

/**
 * Function that takes a join of a filter and one result of its parent join. It returns the list of related records or ids, or `[{}]` if
 * nothing is related.
 */
export type JoinLookup = (join: Join, from: JoinRow) => readonly JoinRow[]

const NOWHERE: readonly JoinRow[] = [{}]

/**
 * Loads all records that a filter's joins need for the given records, with few queries. Resolves to a function that then looks up the
 * related records of a join without waiting.
 */
export async function loadRelated(joins: readonly Join[], records: readonly StoredRecord[], source: RelatedRecords): Promise<JoinLookup> {
  if (joins.length === 0) return () => NOWHERE
  const reached = new Map<number, readonly JoinRow[]>([[0, records.map((record) => ({ record }))]])
  const found = new Map<number, (from: JoinRow) => readonly JoinRow[]>()
  for (const join of joins) {
    const starts = reached.get(join.parent) ?? []
    const follow = await follower(join, starts, source)
    found.set(join.id, follow)
    reached.set(join.id, distinctBounds(starts.map(follow)))
  }
  return (join, from) => found.get(join.id)?.(from) ?? NOWHERE
}

/**
 * Merges the results of a join, one list for each record where it starts, to one list in which each record or id occurs once. The next
 * join's records are then loaded only once.
 */
function distinctBounds(lists: readonly (readonly JoinRow[])[]): readonly JoinRow[] {
  const bounds = new Map<string, JoinRow>()
  for (const list of new Set(lists)) for (const bound of list) bounds.set(bound.record?.id ?? bound.element ?? '', bound)
  return [...bounds.values()]
}

async function follower(
  { step, bound }: Join,
  starts: readonly JoinRow[],
  source: RelatedRecords,
): Promise<(from: JoinRow) => readonly JoinRow[]> {
  const seen = async (collection: Collection, records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> =>
    bound ? source.listable(collection, records) : records
  switch (step.kind) {
    case 'each':
      return ({ record }) => orNowhere(idsIn(record?.[step.field.name]).map((element) => ({ element })))
    case 'record': {
      const { from } = step
      const idOf = ({ record, element }: JoinRow): string => (from === 'element' ? (element ?? '') : (idsIn(record?.[from.name])[0] ?? ''))
      const ids = starts.map(idOf).filter((id) => id !== '')
      const byId = new Map((await seen(step.collection, await source.loadMany(step.collection, ids))).map((record) => [record.id, record]))
      return (start) => {
        const record = byId.get(idOf(start))
        return record === undefined ? NOWHERE : [{ record }]
      }
    }
    case 'back': {
      const ids = starts.flatMap(({ record }) => (record === undefined ? [] : [record.id]))
      const referring = Map.groupBy(
        (await seen(step.collection, await source.loadReferring(step.collection, step.field, ids))).flatMap((record) =>
          idsIn(record[step.field.name]).map((id) => ({ id, record })),
        ),
        ({ id }) => id,
      )
      return ({ record }) => orNowhere(referring.get(record?.id ?? '') ?? [])
    }
    case 'all': {
      const all = (await seen(step.collection, await source.loadAll(step.collection))).map((record) => ({ record }))
      return () => orNowhere(all)
    }
  }
}

function orNowhere(bounds: readonly JoinRow[]): readonly JoinRow[] {
  return bounds.length === 0 ? NOWHERE : bounds
}

/**
 * Returns the ids in the value of a record's relation field, which is one id or a list of ids. Returns an empty list for any other value.
 */
export function idsIn(value: StoredRecord[string] | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}
