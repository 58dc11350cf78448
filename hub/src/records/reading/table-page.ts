import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Tables } from '../../platform/db/schema.ts'
import type { Engine } from '../engine/engine.ts'
import { memoryPage, type RecordPage, type ListPlan, type Order, type Paging } from './memory-page.ts'
import { sortSql, toSql } from '../filter/to-sql.ts'
import type { Plan } from '../filter/plan.ts'
import type { Collection, Row } from '../model/collection.ts'

/**
 * Resolves to the requested page of a collection with a table. The database filters and sorts if it can do so exactly; otherwise this
 * process does.
 */
export async function tablePage(engine: Engine, list: ListPlan): Promise<RecordPage> {
  const { collection } = list.plan
  const page = pageInSql(engine, list)
  if (page !== undefined) {
    const { rows, total } = await rowsOf({ collection, ...page, paging: list.paging, from: engine.database.queries })
    return { records: engine.store.recordsOf(collection, rows), total }
  }
  const { where } = toSql(list.plan, engine.database.dialect, engine.secrets)
  const all = await engine.store.loadByQuery(collection, sql`where ${where} order by r.seq`)
  return memoryPage(engine, list, all)
}

/** Returns the SQL condition and sort order of a list request; `undefined` if the database cannot filter and sort exactly as requested. */
export function pageInSql(engine: Engine, { plan, order }: ListPlan): Pick<PageQuery, 'where' | 'orderBy'> | undefined {
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

/**
 * SQL query for one page of a collection's table: condition and sort order (for the SQL alias `r`), page number and size, and connection.
 */
type PageQuery = {
  readonly collection: Collection
  readonly where: RawBuilder<unknown>
  readonly orderBy: RawBuilder<unknown>
  readonly paging: Paging
  /**
   * Query builder (Kysely) of the database connection for this page's query: the separate one for clients' filters and sorts, or the hub's
   * own.
   */
  readonly from: Kysely<Tables>
}

/** Query result for a page of records, plus `total`: the number of matching records on all pages, −1 when the request skips the total. */
type WithTotal<T> = T & { readonly total: number }

async function rowsOf(page: PageQuery): Promise<WithTotal<{ readonly rows: readonly Row[] }>> {
  const { rows } = await sql<Row>`select r.* ${ofTable(page)}`.execute(page.from)
  return { rows, total: await totalOf(page, rows.length) }
}

/** Database row with one page of records: `items` is their JSON, joined with commas, without `[` and `]`; null for an empty page. */
type JoinedRows = { readonly items: string | Uint8Array<ArrayBuffer> | null }

export async function joinedItems(
  page: PageQuery,
  { database: { dialect } }: Engine,
  item: RawBuilder<unknown>,
): Promise<WithTotal<JoinedRows>> {
  // The inner query limits the rows, so that `item` is evaluated only for the rows of the page.
  const rows = sql`with r as ${dialect.usedOnce} (select r.* ${ofTable(page)})`
  const outer = sql<JoinedRows & { found: number }>`${rows} select ${dialect.joined(item)} as items, count(*) as found from r`
  const [{ items, found } = { items: null, found: 0 }] = (await outer.execute(page.from)).rows
  return { items, total: await totalOf(page, found) }
}

function ofTable({ collection, where, orderBy, paging }: PageQuery): RawBuilder<unknown> {
  return sql`from ${sql.table(collection.name)} as r where ${where} ${orderBy} limit ${paging.perPage} offset ${startOf(paging)}`
}

const startOf = ({ page, perPage }: Paging): number => Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)

async function totalOf({ collection, where, paging, from }: PageQuery, found: number): Promise<number> {
  if (paging.skipTotal) return -1
  // A page that is not full gives the total without a count query.
  if (found > 0 && found < paging.perPage) return startOf(paging) + found
  const counted = await sql<{ total: number }>`select count(*) as total from ${sql.table(collection.name)} as r where ${where}`.execute(
    from,
  )
  return counted.rows[0]?.total ?? 0
}
