import type { Json } from '@vedette/protocol/wire/stats-json'
import { bindingRule, loadById, mayDo, seesEverything } from '../engine/access.ts'
import { isAdmin, type StoredRecord } from '../model/stored-record.ts'
import type { Collection } from '../model/collection.ts'
import type { Engine } from '../engine/engine.ts'
import { parseExpand, presentExpanded } from './expand.ts'
import { FilterError, refuseTooMuch } from '../filter/parse.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { resolver, type Resolver } from '../filter/resolve.ts'
import type { Term } from '../filter/plan.ts'
import { filterErrorsAre400, sourcePage, type ListPlan, type Paging } from './memory-page.ts'
import { fieldPicker, presentRecord } from '../presentation/present.ts'
import { badRequest, notFound, RecordError } from '../model/record-error.ts'
import { rowJson } from '../presentation/row-json.ts'
import { joinedItems, pageInSql, tablePage } from './table-page.ts'

const LONGEST_FILTER_BYTES = 3500
const MOST_COMPARISONS = 200

/** Query parameters of a list request, such as `filter`, `sort`, `page`: a map from name to text. */
export type ListQuery = { readonly [name: string]: string }

/**
 * Response with one page of a collection's records (`items`), and page number and size. `totalItems` and `totalPages` are -1 when the
 * request has `skipTotal`.
 */
export type ListedPage = {
  readonly page: number
  readonly perPage: number
  readonly totalItems: number
  readonly totalPages: number
  readonly items: readonly Json[]
}

/**
 * Resolves to one page of a collection: the records that the list rule allows and the filter matches, sorted, with the query parameters
 * `expand` and `fields` applied.
 */
export async function listRecords(engine: Engine, collection: Collection, facts: RequestFacts, query: ListQuery): Promise<ListedPage> {
  const pick = fieldPicker(query['fields'] ?? '')
  const { records, page } = await findRecords(engine, collection, facts, query)
  const items = await presentExpanded(engine, { collection, facts }, records, parseExpand(query['expand'] ?? ''))
  return { items: items.map(pick), ...page }
}

async function findRecords(engine: Engine, collection: Collection, facts: RequestFacts, query: ListQuery) {
  const plan = planOf(engine, collection, facts, query)
  const { records, total } = collection.storage === 'table' ? await tablePage(engine, plan) : await sourcePage(engine, plan)
  return { records, page: pageJson(plan.paging, total) }
}

/** JSON of a list response, as text, or as UTF-8 bytes if the database built it. */
export type JsonText = string | Uint8Array<ArrayBuffer>

/**
 * Resolves to one page of a collection as JSON text, with the same content as {@link listRecords}. The database builds the JSON where
 * possible.
 */
export async function listAsJson(engine: Engine, collection: Collection, facts: RequestFacts, query: ListQuery): Promise<JsonText> {
  if (query['expand']) return JSON.stringify(await listRecords(engine, collection, facts, query))
  const fields = query['fields'] ?? ''
  const item = collection.storage === 'table' ? rowJson(collection, facts.actor, fields, engine.database.dialect) : undefined
  if (item !== undefined) {
    const plan = planOf(engine, collection, facts, query)
    const page = pageInSql(engine, plan)
    if (page !== undefined) {
      const { kysely, queries: apart } = engine.database
      const from = quickCollections.has(collection.name) && !query['filter'] ? kysely : apart
      const { items, total } = await joinedItems({ collection, ...page, paging: plan.paging, from }, engine, item)
      return listJson(items ?? '', JSON.stringify(pageJson(plan.paging, total)))
    }
  }
  const pick = fieldPicker(fields)
  const { records, page } = await findRecords(engine, collection, facts, query)
  // Serialises the records one by one, so that the garbage collector can free each object early.
  const items = records.map((record) => JSON.stringify(pick(presentRecord(collection, record, facts.actor))))
  return listJson(items.join(','), JSON.stringify(page))
}

function listJson(items: JsonText, page: string): JsonText {
  const [start, end] = ['{"items":[', `],${page.slice(1)}`]
  return typeof items === 'string' ? start + items + end : Buffer.concat([Buffer.from(start), items, Buffer.from(end)])
}

/**
 * Set of the names of collections (only `systems`) whose pages without a filter are read on the hub's own database connection, for speed.
 * Others use the separate connection for clients' queries.
 */
const quickCollections: ReadonlySet<string> = new Set(['systems'])

/**
 * Parses filter, sort and paging of a list request, adds the collection's list rule, and resolves all names. Throws 400 for invalid ones.
 * Throws 403 if the user may not list the collection, or is no admin and uses `@collection.` or `@request.`.
 */
function planOf(engine: Engine, collection: Collection, facts: RequestFacts, query: ListQuery): ListPlan {
  const rule = bindingRule(facts, collection, 'list')
  refuseProbing(facts, query)
  const paging = parsePaging(query)
  const resolving = resolver(collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  return { ...filterErrorsAre400(() => resolveQuery(resolving, rule, seesEverything(facts), query)), facts, paging }
}

function pageJson({ page, skipTotal, perPage }: Paging, total: number) {
  const totals = skipTotal ? { totalItems: -1, totalPages: -1 } : { totalItems: total, totalPages: Math.ceil(total / perPage) }
  return { page, perPage, ...totals }
}

/**
 * Loads a record by id if the requesting user may view it. Throws 404 if it is missing or may not be viewed, 403 if the whole collection is
 * closed to the user or API key.
 */
export async function viewRecord(engine: Engine, collection: Collection, facts: RequestFacts, id: string): Promise<StoredRecord> {
  bindingRule(facts, collection, 'view')
  const record = await loadById(engine, collection, id)
  if (record === undefined || !(await mayDo(engine, { collection, rule: 'view', facts }, record))) throw notFound()
  return record
}

/** Resolves to a record in its form for the response of a request, with the query parameters `expand` and `fields` applied. */
export async function presentForRequest(
  engine: Engine,
  { collection, facts }: { readonly collection: Collection; readonly facts: RequestFacts },
  record: StoredRecord,
  query: ListQuery,
): Promise<Json> {
  const [shown = {}] = await presentExpanded(engine, { collection, facts }, [record], parseExpand(query['expand'] ?? ''))
  return fieldPicker(query['fields'] ?? '')(shown)
}

function resolveQuery(resolving: Resolver, rule: string, admin: boolean, query: ListQuery): Pick<ListPlan, 'plan' | 'order'> {
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

function refuseProbing({ actor, keyScope }: RequestFacts, query: ListQuery): void {
  const asked = `${query['filter'] ?? ''} ${query['sort'] ?? ''}`
  // An admin's API key must not read the account through its own filters.
  if (isAdmin(actor) && keyScope === undefined) return
  for (const name of ['@collection.', '@request.'])
    if (asked.includes(name)) throw new RecordError(403, `Only superusers can filter by ${name}`)
}

/**
 * Checks the filter and sort order of a list request. Returns `undefined` if they are valid, otherwise a message and the position of the
 * error (characters from 0; `undefined` if unknown). Throws 400 for empty, too long or too many sort names.
 */
export function whyUnreadable(
  engine: Engine,
  collection: Collection,
  facts: RequestFacts,
  query: ListQuery,
): { readonly message: string; readonly at: number | undefined } | undefined {
  const resolving = resolver(collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  try {
    resolveQuery(resolving, '', seesEverything(facts), query)
    return undefined
  } catch (error) {
    if (error instanceof FilterError) return { message: error.message, at: error.at }
    throw error
  }
}

const DEFAULT_PER_PAGE = 30
const MOST_PER_PAGE = 1000
const MOST_SORTS = 8
const LONGEST_SORT = 255

const yes = ['1', 't', 'T', 'true', 'TRUE', 'True']
const no = ['0', 'f', 'F', 'false', 'FALSE', 'False', '']

/**
 * Parses the query parameters `page`, `perPage` (30 by default, at most 1000) and `skipTotal`. A `perPage` of 0 or less means the default,
 * a larger one the maximum, a `page` below 1 the first. Throws 400 for an invalid number or boolean.
 */
export function parsePaging(query: ListQuery): Paging {
  const page = whole(query['page'])
  const perPage = whole(query['perPage'])
  const skipTotal = query['skipTotal'] ?? ''
  if (!yes.includes(skipTotal) && !no.includes(skipTotal)) throw badRequest()
  return {
    page: Math.max(page ?? 1, 1),
    perPage: perPage === undefined || perPage <= 0 ? DEFAULT_PER_PAGE : Math.min(perPage, MOST_PER_PAGE),
    skipTotal: yes.includes(skipTotal),
  }
}

function whole(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^[+-]?\d{1,19}$/.test(text)) throw badRequest()
  return Number(text)
}

type Sort = { readonly name: string; readonly descending: boolean }

/**
 * Parses the query parameter `sort`, such as `-created,+name`, to a list of sort keys. A `+` that was decoded as a space counts as
 * ascending. Throws 400 for an empty name, for over 8 names, or for one of over 255 characters. `''` gives an empty list.
 */
export function parseSort(text: string): readonly Sort[] {
  if (text === '') return []
  const sorts = text.split(',').map((one) => one.trim())
  if (sorts.length > MOST_SORTS || sorts.some((one) => one === '' || one.length > LONGEST_SORT)) throw badRequest()
  return sorts.map((one) => ({ name: one.replace(/^[+-]/, ''), descending: one.startsWith('-') }))
}
