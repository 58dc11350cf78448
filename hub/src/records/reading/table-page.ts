import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Tables } from '../../platform/db/schema.ts'
import type { Collection } from '../model/collection.ts'
import type { Engine } from '../engine/engine.ts'
import type { Paging } from './list-query.ts'
import type { Row } from '../model/record-row.ts'

/** Query for a page of a collection's table, which has the alias `r`. */
export type TablePage = {
  readonly collection: Collection
  readonly where: RawBuilder<unknown>
  readonly orderBy: RawBuilder<unknown>
  readonly paging: Paging
  /** The connection: that for client queries, or the hub's own. */
  readonly from: Kysely<Tables>
}

/** `total` counts the records of all pages; −1 when the request skips the total. */
type Found<T> = T & { readonly total: number }

export async function rowsOf(page: TablePage): Promise<Found<{ readonly rows: readonly Row[] }>> {
  const { rows } = await sql<Row>`select r.* ${ofTable(page)}`.execute(page.from)
  return { rows, total: await totalOf(page, rows.length) }
}

/** The text of `item` for each row, joined with commas; null when there are no rows. */
type Joined = { readonly items: string | Uint8Array<ArrayBuffer> | null }

export async function joinedItems(page: TablePage, { database: { dialect } }: Engine, item: RawBuilder<unknown>): Promise<Found<Joined>> {
  // The inner query limits the rows, so that `item` is evaluated only for the rows of the page.
  const inner = sql`(select r.* ${ofTable(page)}) as r`
  const outer = sql<Joined & { found: number }>`select ${dialect.joined(item)} as items, count(*) as found from ${inner}`
  const [{ items, found } = { items: null, found: 0 }] = (await outer.execute(page.from)).rows
  return { items, total: await totalOf(page, found) }
}

function ofTable({ collection, where, orderBy, paging }: TablePage): RawBuilder<unknown> {
  return sql`from ${sql.table(collection.name)} as r where ${where} ${orderBy} limit ${paging.perPage} offset ${startOf(paging)}`
}

const startOf = ({ page, perPage }: Paging): number => Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)

async function totalOf({ collection, where, paging, from }: TablePage, found: number): Promise<number> {
  if (paging.skipTotal) return -1
  // A page that is not full gives the total without a count query.
  if (found > 0 && found < paging.perPage) return startOf(paging) + found
  const counted = await sql<{ total: number }>`select count(*) as total from ${sql.table(collection.name)} as r where ${where}`.execute(
    from,
  )
  return counted.rows[0]?.total ?? 0
}
