import { Hono, type Context } from 'hono'
import { forgetAllLogs } from '../../logs/forget-logs.ts'
import type { LogBook } from '../../logs/log-book.ts'
import type { LogAsker } from '../../logs/log-filter.ts'
import { listLogs, loadLog, logStats } from '../../logs/log-list.ts'
import { noteInAudit } from '../../records/audit-log.ts'
import type { Engine } from '../../records/engine.ts'
import { fieldPicker } from '../../records/pick-fields.ts'
import { notFound } from '../../records/record-error.ts'
import { factsOf } from '../request-facts.ts'
import { askedByAdmin, type Signed } from '../signed.ts'

export type LogsParts = { readonly engine: Engine; readonly book: LogBook }

/** Whose question about the log it is. Throws for who is no admin. */
export function logAsker({ engine, book }: LogsParts, c: Context<Signed>): LogAsker {
  askedByAdmin(c)
  return logAskerOf({ engine, book }, c)
}

/** The same of whom is known to be one. */
export function logAskerOf({ engine, book }: LogsParts, c: Context<Signed>): LogAsker {
  return { database: book.database, secrets: engine.secrets, facts: factsOf(c), nowMs: engine.clock.now() }
}

/** The log as clients of other hubs read it. Admins only. */
export function logsRoute(parts: LogsParts): Hono<Signed> {
  const { engine, book } = parts
  return new Hono<Signed>()
    .on('GET', ['/api/logs', '/api/logs/'], async (c) => c.json(await listLogs(logAsker(parts, c), c.req.query())))
    .get('/api/logs/stats', async (c) => c.json(await logStats(logAsker(parts, c), c.req.query('filter') ?? '')))
    .get('/api/logs/:id', async (c) => {
      askedByAdmin(c)
      const found = await loadLog(book.database, c.req.param('id'))
      if (found === undefined) throw notFound()
      return c.json(fieldPicker(c.req.query('fields') ?? '')(found))
    })
    .delete('/api/logs', async (c) => {
      const { actor } = askedByAdmin(c)
      await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), { by: actor, action: 'delete', target: 'logs' }))
      await forgetAllLogs(book.database)
      return c.body(null, 204)
    })
}
