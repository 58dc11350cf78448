import { Hono } from 'hono'
import type { Database } from '../../platform/db/database.ts'
import { listAudit } from '../../records/writing/audit-log.ts'
import { recordDate } from '../../records/model/record-date.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'

const MOST_A_PAGE = 500

/** Who changed what and when, for admins: the newest first. */
export function auditRoute({ kysely }: Database): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/api/vedette/audit', async (c) => {
    askedByAdmin(c)
    const { actor = '', target = '', targetId = '' } = c.req.query()
    const [page, perPage] = [whole(c.req.query('page'), 1, 1e9), whole(c.req.query('perPage'), 30, MOST_A_PAGE)]
    const { items, total } = await listAudit(kysely, { page, perPage, actor, target, targetId })
    return c.json({
      page,
      perPage,
      totalItems: total,
      totalPages: Math.ceil(total / perPage),
      items: items.map(({ no, atMs, ...entry }) => ({ id: String(no), at: recordDate(atMs), ...entry })),
    })
  })
}

/** A whole number from 1 to `most`; anything else is the standard one, as in lists of records. */
function whole(text: string | undefined, standard: number, most: number): number {
  const value = /^\d{1,10}$/.test(text ?? '') ? Number(text) : 0
  return value < 1 ? standard : Math.min(value, most)
}
