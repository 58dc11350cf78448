import { Hono, type Context } from 'hono'
import { forgetAllLogs } from '../logs/forget-logs.ts'
import type { LogBook } from '../logs/log-book.ts'
import type { LogAsker } from '../logs/search/log-filter.ts'
import { listLogs, loadLog, logStats } from '../logs/search/log-list.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { fieldPicker } from '../../records/presentation/pick-fields.ts'
import { notFound } from '../../records/model/record-error.ts'
import { factsOf } from '../../http/requests/request-facts.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'

export type LogsParts = { readonly engine: Engine; readonly book: LogBook }

/** Whose question about the log it is, once what happened before it is stored: the answer has it. Throws for who is no admin. */
export async function logAsker(parts: LogsParts, c: Context<RequestContext>): Promise<LogAsker> {
  askedByAdmin(c)
  await parts.book.flush()
  return logAskerOf(parts, c)
}

/** Whose question it is of whom is known to be an admin. */
export function logAskerOf({ engine, book }: LogsParts, c: Context<RequestContext>): LogAsker {
  return { database: book.database, secrets: engine.secrets, facts: factsOf(c), nowMs: engine.clock.now() }
}

/** The log as clients of other hubs read it. Admins only. */
export function logsRoute(parts: LogsParts): Hono<RequestContext> {
  const { engine, book } = parts
  return new Hono<RequestContext>()
    .on('GET', ['/api/logs', '/api/logs/'], async (c) => c.json(await listLogs(await logAsker(parts, c), c.req.query())))
    .get('/api/logs/stats', async (c) => c.json(await logStats(await logAsker(parts, c), c.req.query('filter') ?? '')))
    .get('/api/logs/:id', async (c) => {
      askedByAdmin(c)
      const found = await loadLog(book.database, c.req.param('id'))
      if (found === undefined) throw notFound()
      return c.json(fieldPicker(c.req.query('fields') ?? '')(found))
    })
    .delete('/api/logs', async (c) => {
      const { actor } = askedByAdmin(c)
      await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), { by: actor, action: 'delete', target: 'logs' }))
      await book.flush()
      await forgetAllLogs(book.database)
      return c.body(null, 204)
    })
}
