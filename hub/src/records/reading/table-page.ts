import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Tables } from '../../platform/db/schema.ts'
import type { Collection } from '../model/collection.ts'
import type { Engine } from '../engine/engine.ts'
import type { Paging } from './list-query.ts'
import type { Row } from '../model/record-row.ts'

/** A page of a collection's table, which is `r` here, as the database finds it. */
export type TablePage = {
  readonly collection: Collection
  readonly where: RawBuilder<unknown>
  readonly orderBy: RawBuilder<unknown>
  readonly paging: Paging
  /** Where it is looked for: with what clients ask, or with what the hub itself does. */
  readonly from: Kysely<Tables>
}

/** `total` is how many there are on all pages; −1 where nobody wants to know. */
type Found<T> = T & { readonly total: number }

export async function rowsOf(page: TablePage): Promise<Found<{ readonly rows: readonly Row[] }>> {
  const { rows } = await sql<Row>`select r.* ${ofTable(page)}`.execute(page.from)
  return { rows, total: await totalOf(page, rows.length) }
}

/** What `item` gives for each row, with commas between them; null when there are none. */
type Joined = { readonly items: string | Uint8Array<ArrayBuffer> | null }

export async function joinedItems(page: TablePage, { database: { dialect } }: Engine, item: RawBuilder<unknown>): Promise<Found<Joined>> {
  // Written only of the rows that are sent, not of all that are sorted.
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
  // A page that is not full already tells how many there are.
  if (found > 0 && found < paging.perPage) return startOf(paging) + found
  const counted = await sql<{ total: number }>`select count(*) as total from ${sql.table(collection.name)} as r where ${where}`.execute(
    from,
  )
  return counted.rows[0]?.total ?? 0
}
