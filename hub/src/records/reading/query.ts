import type { Json } from '@vedette/protocol/wire/stats-json'
import { sql, type RawBuilder } from 'kysely'
import { bindingRule, loadById, mayDo, relatedFor } from '../engine/access.ts'
import { isAdmin, type StoredRecord } from '../model/stored-record.ts'
import type { Collection } from '../model/collection.ts'
import { sourceOf, type Engine } from '../engine/engine.ts'
import { parseExpand, presentExpanded } from './expand.ts'
import { orderOf, type Value } from '../filter/comparison.ts'
import { FilterError, refuseTooMuch } from '../filter/parse.ts'
import { type Budget, MOST_STEPS, loadRelated, matcher, valuer } from '../filter/matches.ts'
import type { RequestFacts } from '../filter/request-facts.ts'
import { resolver, type Resolver } from '../filter/resolve.ts'
import type { Plan, Term } from '../filter/plan.ts'
import { sortSql, toSql } from '../filter/to-sql.ts'
import { parsePaging, parseSort, type ListQuery, type Paging } from './list-query.ts'
import { narrow } from './narrow.ts'
import { fieldPicker, presentRecord } from '../presentation/present.ts'
import { notFound, RecordError } from '../model/record-error.ts'
import { rowJson } from '../presentation/row-json.ts'
import { joinedItems, rowsOf, type TablePage } from './table-page.ts'

const LONGEST_FILTER_BYTES = 3500
const MOST_COMPARISONS = 200
/** Most steps of a filter that is evaluated in this process, for a whole list, and between two turns of the event loop. */
const MOST_STEPS_OF_A_LIST = 2_000_000
const STEPS_AT_ONCE = 10_000

/** The response for one page of a collection: the records that list rule and filter allow, sorted. */
export async function listRecords(engine: Engine, collection: Collection, facts: RequestFacts, query: ListQuery): Promise<Json> {
  const pick = fieldPicker(query['fields'] ?? '')
  const { records, page } = await findRecords(engine, collection, facts, query)
  const items = await presentExpanded(engine, { collection, facts }, records, parseExpand(query['expand'] ?? ''))
  return { items: items.map(pick), ...page }
}

async function findRecords(engine: Engine, collection: Collection, facts: RequestFacts, query: ListQuery) {
  const { asked, paging } = understood(engine, collection, facts, query)
  const { records, total } =
    collection.storage === 'table' ? await fromTable(engine, asked, paging) : await fromSource(engine, asked, paging)
  return { records, page: { page: paging.page, perPage: paging.perPage, ...totalsOf(paging, total) } }
}

/** JSON as text or as UTF-8 bytes. */
export type JsonText = string | Uint8Array<ArrayBuffer>

/** Like {@link listRecords}, as JSON text. The database writes the JSON where possible. */
export async function listAsJson(engine: Engine, collection: Collection, facts: RequestFacts, query: ListQuery): Promise<JsonText> {
  if (query['expand']) return JSON.stringify(await listRecords(engine, collection, facts, query))
  const fields = query['fields'] ?? ''
  const item = collection.storage === 'table' ? rowJson(collection, facts.actor, fields, engine.database.dialect) : undefined
  if (item !== undefined) {
    const { asked, paging } = understood(engine, collection, facts, query)
    const page = pageInSql(engine, asked)
    if (page !== undefined) {
      const { kysely, queries: apart } = engine.database
      const from = short.has(collection.name) && !query['filter'] ? kysely : apart
      const { items, total } = await joinedItems({ collection, ...page, paging, from }, engine, item)
      const rest = JSON.stringify({ page: paging.page, perPage: paging.perPage, ...totalsOf(paging, total) })
      return listJson(items ?? '', rest)
    }
  }
  const pick = fieldPicker(fields)
  const { records, page } = await findRecords(engine, collection, facts, query)
  // Serialises records one by one: the objects of all records together would outlive a garbage collection.
  const items = records.map((record) => JSON.stringify(pick(presentRecord(collection, record, facts.actor))))
  return listJson(items.join(','), JSON.stringify(page))
}

function listJson(items: JsonText, page: string): JsonText {
  const [start, end] = ['{"items":[', `],${page.slice(1)}`]
  return typeof items === 'string' ? start + items + end : Buffer.concat([Buffer.from(start), items, Buffer.from(end)])
}

/** Collections whose pages without a filter take no longer to read than handing the query to another thread. */
const short: ReadonlySet<string> = new Set(['systems'])

function understood(engine: Engine, collection: Collection, facts: RequestFacts, query: ListQuery) {
  const rule = bindingRule(facts.actor, collection, 'list')
  refuseProbing(facts, query)
  const paging = parsePaging(query)
  const resolving = resolver(collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  const { plan, order } = filterErrorsAre400(() => understand(resolving, rule, isAdmin(facts.actor), query))
  return { paging, asked: { plan, order, facts } }
}

function totalsOf({ skipTotal, perPage }: Paging, total: number) {
  return skipTotal ? { totalItems: -1, totalPages: -1 } : { totalItems: total, totalPages: Math.ceil(total / perPage) }
}

/** Loads one record that the caller may view. Throws 404 both for a missing record and for one that the caller may not view. */
export async function viewRecord(engine: Engine, collection: Collection, facts: RequestFacts, id: string): Promise<StoredRecord> {
  bindingRule(facts.actor, collection, 'view')
  const record = await loadById(engine, collection, id)
  if (record === undefined || !(await mayDo(engine, { collection, rule: 'view', facts }, record))) throw notFound()
  return record
}

/** A record for the response, with `expand` and `fields` applied. */
export async function presentAsked(
  engine: Engine,
  { collection, facts }: { readonly collection: Collection; readonly facts: RequestFacts },
  record: StoredRecord,
  query: ListQuery,
): Promise<Json> {
  const [shown = {}] = await presentExpanded(engine, { collection, facts }, [record], parseExpand(query['expand'] ?? ''))
  return fieldPicker(query['fields'] ?? '')(shown)
}

type Order = readonly { readonly term: Term | 'random' | 'insertion'; readonly descending: boolean }[]

function understand(resolving: Resolver, rule: string, admin: boolean, query: ListQuery): { plan: Plan; order: Order } {
  const reach = admin ? 'everything' : 'own'
  const filter = query['filter'] ?? ''
  if (filter !== '') refuseTooMuch(filter, { bytes: LONGEST_FILTER_BYTES, comparisons: MOST_COMPARISONS })
  const both = { kind: 'and', parts: [resolving.condition(rule, 'everything'), resolving.condition(filter, reach)] } as const
  const order = parseSort(query['sort'] ?? '').map(({ name, descending }) => ({
    term: name === '@random' ? ('random' as const) : name === '@rowid' ? ('insertion' as const) : sortTerm(resolving, name, reach),
    descending,
  }))
  return { plan: resolving.plan(both), order }
}

function sortTerm(resolving: Resolver, name: string, reach: 'everything' | 'own'): Term {
  const term = resolving.term(name, reach)
  if (term.kind === 'constant') throw new FilterError(`Cannot sort by "${name}": it is the same for all`)
  return term
}

function refuseProbing({ actor }: RequestFacts, query: ListQuery): void {
  const asked = `${query['filter'] ?? ''} ${query['sort'] ?? ''}`
  if (isAdmin(actor)) return
  for (const name of ['@collection.', '@request.'])
    if (asked.includes(name)) throw new RecordError(403, `Only superusers can filter by ${name}`)
}

/** Why a filter or sort is invalid, and where (characters from 0, if known); `undefined` when it is valid. */
export function whyUnreadable(
  engine: Engine,
  collection: Collection,
  facts: RequestFacts,
  query: ListQuery,
): { readonly message: string; readonly at: number | undefined } | undefined {
  const resolving = resolver(collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  try {
    understand(resolving, '', isAdmin(facts.actor), query)
    return undefined
  } catch (error) {
    if (error instanceof FilterError) return { message: error.message, at: error.at }
    throw error
  }
}

/** Turns filter errors into a bare 400, without the message. The response has only the position at which a filter exceeds a limit. */
export function filterErrorsAre400<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof FilterError) throw new RecordError(400, undefined, {}, error.position)
    throw error
  }
}

type Found = { readonly records: readonly StoredRecord[]; readonly total: number }

type ListPlan = { readonly plan: Plan; readonly order: Order; readonly facts: RequestFacts }

async function fromTable(engine: Engine, asked: ListPlan, paging: Paging): Promise<Found> {
  const { collection } = asked.plan
  const page = pageInSql(engine, asked)
  if (page !== undefined) {
    const { rows, total } = await rowsOf({ collection, ...page, paging, from: engine.database.queries })
    return { records: engine.store.recordsOf(collection, rows), total }
  }
  const { where } = toSql(asked.plan, engine.database.dialect, engine.secrets)
  const all = await engine.store.loadByQuery(collection, sql`where ${where} order by r.seq`)
  return pageOf(engine, asked, await judged(engine, asked, all), paging)
}

/** SQL condition and order of the page; `undefined` when the database cannot decide everything by itself. */
function pageInSql(engine: Engine, { plan, order }: ListPlan): Pick<TablePage, 'where' | 'orderBy'> | undefined {
  const { where, exact } = toSql(plan, engine.database.dialect, engine.secrets)
  const orderBy = orderSql(engine, plan, order)
  return exact && orderBy !== undefined ? { where, orderBy } : undefined
}

function orderSql(engine: Engine, plan: Plan, order: Order): RawBuilder<unknown> | undefined {
  const parts: RawBuilder<unknown>[] = []
  for (const { term, descending } of order) {
    const direction = descending ? sql`desc nulls last` : sql`asc nulls first`
    const values =
      term === 'random'
        ? [engine.database.dialect.random]
        : term === 'insertion'
          ? [sql`r.seq`]
          : sortSql(plan, term, engine.database.dialect)
    if (values === undefined) return undefined
    parts.push(...values.map((value) => sql`${value} ${direction}`))
  }
  return sql`order by ${sql.join([...parts, sql`r.seq`])}`
}

async function fromSource(engine: Engine, asked: ListPlan, paging: Paging): Promise<Found> {
  const { plan, facts } = asked
  const known = narrow(plan.condition)
  const systems = known.systems ?? (await visibleSystems(engine, facts))
  const all = await sourceOf(engine, plan.collection).load({ ...known, ...(systems === undefined ? {} : { systems }) })
  return pageOf(engine, asked, await judged(engine, asked, all), paging)
}

/** Ids of the systems that the caller may list; `undefined` means all. */
async function visibleSystems(engine: Engine, facts: RequestFacts): Promise<readonly string[] | undefined> {
  const systems = engine.collections.find('systems')
  if (systems === undefined || isAdmin(facts.actor)) return undefined
  const resolving = resolver(systems, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  const plan = resolving.plan(resolving.condition(bindingRule(facts.actor, systems, 'list'), 'everything'))
  const { where } = toSql(plan, engine.database.dialect, engine.secrets)
  return (await engine.store.loadSelected(systems, sql`where ${where}`)).map(({ id }) => id)
}

async function judged(engine: Engine, { plan, facts }: ListPlan, records: readonly StoredRecord[]): Promise<readonly StoredRecord[]> {
  const related = await loadRelated(plan.joins, records, relatedFor(engine, facts))
  const matches = matcher(plan)
  const found: StoredRecord[] = []
  let left = MOST_STEPS_OF_A_LIST
  let sinceTurn = 0
  for (const record of records) {
    const budget: Budget = { steps: Math.min(left, MOST_STEPS) }
    const before = budget.steps
    if (filterErrorsAre400(() => matches(record, related, budget))) found.push(record)
    left -= before - budget.steps
    sinceTurn += before - budget.steps
    if (sinceTurn < STEPS_AT_ONCE) continue
    // Lets samples and other requests run in between.
    await new Promise((resolve) => setImmediate(resolve))
    sinceTurn = 0
  }
  return found
}

async function pageOf(
  engine: Engine,
  { plan, order, facts }: ListPlan,
  records: readonly StoredRecord[],
  { page, perPage }: Paging,
): Promise<Found> {
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
