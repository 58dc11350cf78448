import { seesEverything, sourceOf, relatedFor } from '../engine/access.ts'
import type { Engine } from '../engine/engine.ts'
import { orderOf, type Value, type Budget, MOST_MATCH_STEPS } from '../filter/comparison.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { loadRelated, matcher, valuer } from '../filter/matches.ts'
import { FilterError, type Comparison } from '../filter/parse.ts'
import type { Compare, Condition, Plan, Term } from '../filter/plan.ts'
import { RecordError } from '../model/record-error.ts'
import type { Narrowing } from '../model/record-source.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { visibleRecords } from './visible-records.ts'
import { setImmediate as othersTurn } from 'node:timers/promises'

export type Paging = { readonly page: number; readonly perPage: number; readonly skipTotal: boolean }

/**
 * Sort order of a list request: sort keys, most significant first. `term` is a resolved field, `random`, or `insertion` for the order of
 * insertion; `descending` reverses it.
 */
export type Order = readonly { readonly term: Term | 'random' | 'insertion'; readonly descending: boolean }[]

/**
 * Parsed request for a list of records. `plan`: access rule and filter with resolved names; `order`: sort keys; `paging`: page number and
 * size; `facts`: user and request data for filters.
 */
export type ListPlan = { readonly plan: Plan; readonly order: Order; readonly facts: RequestFacts; readonly paging: Paging }

/** Page of records. `total` is the number of matching records on all pages; it may be −1 when the request skips the total. */
export type RecordPage = { readonly records: readonly StoredRecord[]; readonly total: number }

/**
 * Maximum number of filter steps (rows and comparisons) for a list request that this process filters itself: 2,000,000. Above it, the
 * request is rejected with 400. After each `STEPS_AT_ONCE` steps it yields to the event loop.
 */
const MOST_STEPS_OF_A_LIST = 2_000_000
const STEPS_AT_ONCE = 10_000

/**
 * Resolves to the requested page of a collection without a table, such as `system_stats`. Its source builds the records; they are then
 * filtered and sorted in this process.
 */
export async function sourcePage(engine: Engine, list: ListPlan): Promise<RecordPage> {
  const { plan, facts } = list
  const known = narrow(plan.condition)
  const systems = known.systems ?? (await visibleSystems(engine, facts))
  const all = await sourceOf(engine, plan.collection).load({ ...known, ...(systems === undefined ? {} : { systems }) })
  return memoryPage(engine, list, all)
}

/** Resolves to the ids of the systems that the requesting user may list; `undefined` if the user may list all systems. */
async function visibleSystems(engine: Engine, facts: RequestFacts): Promise<readonly string[] | undefined> {
  if (seesEverything(facts)) return undefined
  return (await visibleRecords(engine, 'systems', facts)).map(({ id }) => id)
}

async function matching(engine: Engine, { plan, facts }: ListPlan, records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> {
  const related = await loadRelated(plan.joins, records, relatedFor(engine, facts))
  const matches = matcher(plan)
  const found: StoredRecord[] = []
  let left = MOST_STEPS_OF_A_LIST
  let sinceTurn = 0
  for (const record of records) {
    const budget: Budget = { steps: Math.min(left, MOST_MATCH_STEPS) }
    const before = budget.steps
    if (filterErrorsAre400(() => matches(record, related, budget))) found.push(record)
    left -= before - budget.steps
    sinceTurn += before - budget.steps
    if (sinceTurn < STEPS_AT_ONCE) continue
    // Lets samples and other requests run in between.
    await othersTurn()
    sinceTurn = 0
  }
  return found
}

/**
 * Filters and sorts the records `candidates` in this process, and resolves to the page that `list` requests. Throws 400 when the filter is
 * too costly: over 100,000 steps (rows and comparisons) for one record, or 2,000,000 in total.
 */
export async function memoryPage(engine: Engine, list: ListPlan, candidates: readonly StoredRecord[]): Promise<RecordPage> {
  const {
    plan,
    order,
    facts,
    paging: { page, perPage },
  } = list
  const records = await matching(engine, list, candidates)
  const related = await loadRelated(plan.joins, records, relatedFor(engine, facts))
  const keysOf = order.map(({ term }): ((record: StoredRecord, at: number) => Value) => {
    if (term === 'random') return () => Math.random()
    if (term === 'insertion') return (_, at) => at
    const value = valuer(plan, term)
    return (record) => value(record, related)
  })
  const keyed = records.map((record, at) => ({ record, keys: keysOf.map((key) => key(record, at)) }))
  const sorted = keyed.toSorted((a, b) => {
    for (const [at, { descending }] of order.entries()) {
      const difference = orderOf(a.keys[at] ?? null, b.keys[at] ?? null)
      if (difference !== 0) return descending ? -difference : difference
    }
    return 0
  })
  const from = (page - 1) * perPage
  return { records: sorted.slice(from, from + perPage).map(({ record }) => record), total: records.length }
}

/**
 * Calls `work` and returns its result. Throws HTTP 400 in place of a {@link FilterError}. Its message has the position in the filter only
 * if the filter is too large or too deeply nested.
 */
export function filterErrorsAre400<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof FilterError) throw new RecordError(400, undefined, {}, error.position)
    throw error
  }
}

/**
 * Derives conditions on system ids, type and creation date from a filter's condition. With them, the source of a collection without a table
 * builds fewer records. `{}` if the filter has none.
 */
function narrow(condition: Condition): Narrowing {
  return conjunctions(condition).reduce<Narrowing>((known, { left, comparison, right }) => {
    const value = right.kind === 'constant' ? right.typed.value : undefined
    return typeof value !== 'string' || value === '' ? known : { ...known, ...narrowed(known, fieldOf(left), { comparison, value }) }
  }, {})
}

function narrowed(
  known: Narrowing,
  field: string | undefined,
  { comparison, value }: { comparison: Comparison; value: string },
): Narrowing {
  if (field === 'created' && (comparison === '>' || comparison === '>=')) return { createdFrom: latest(known.createdFrom, value) }
  if (field === 'created' && (comparison === '<' || comparison === '<=')) return { createdTo: earliest(known.createdTo, value) }
  if (comparison !== '=') return {}
  return field === 'system' ? { systems: both(known.systems, value) } : field === 'type' ? { type: value } : {}
}

const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '~': '~',
  '!~': '!~',
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
}

/**
 * Returns the comparisons of a filter that must all hold, joined by `&&` at any depth. Comparisons below `||` are left out. A constant on
 * the left side is moved to the right.
 */
function conjunctions(condition: Condition): readonly Compare[] {
  if (condition.kind !== 'compare') return condition.kind === 'and' ? condition.parts.flatMap(conjunctions) : []
  if (condition.left.kind !== 'constant' || condition.comparison === '~' || condition.comparison === '!~') return [condition]
  return [{ ...condition, left: condition.right, comparison: mirrored[condition.comparison], right: condition.left }]
}

function fieldOf(term: Term): string | undefined {
  return term.kind === 'column' && term.join === 0 ? term.column : undefined
}

function both(known: readonly string[] | undefined, value: string): readonly string[] {
  return known === undefined || known.includes(value) ? [value] : []
}

function latest(known: string | undefined, value: string): string {
  return known === undefined || value > known ? value : known
}

function earliest(known: string | undefined, value: string): string {
  return known === undefined || value < known ? value : known
}
