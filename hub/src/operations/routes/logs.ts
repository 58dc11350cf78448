import type { Context } from 'hono'
import { z } from 'zod'
import { deleteAllLogs } from '../logs/delete-logs.ts'
import type { LogBook } from '../logs/log-book.ts'
import { shownLog } from '../logs/search/log-records.ts'
import type { LogFilterContext } from '../logs/search/log-filter.ts'
import { listLogs, loadLog, logStats } from '../logs/search/log-list.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { notFound } from '../../records/model/record-error.ts'
import { factsOf, type RequestContext } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { anyRecord, pageOf } from '../../http/routing/field-schemas.ts'

export type LogParts = { readonly engine: Pick<Engine, 'database' | 'clock' | 'secrets'>; readonly logBook: LogBook }

/** Returns the context in which the filter of a log request is compiled to SQL: database, facts of the request, and current time. */
export function logFilterContextOf({ engine, logBook }: LogParts, c: Context<RequestContext>): LogFilterContext {
  return { database: logBook.database, secrets: engine.secrets, facts: factsOf(c), nowMs: engine.clock.now() }
}

/**
 * Stores all queued log entries first, so that the search finds the latest ones. Then resolves to the context for compiling the request's
 * log filter to SQL.
 */
export async function flushedLogFilterContext(parts: LogParts, c: Context<RequestContext>): Promise<LogFilterContext> {
  await parts.logBook.flush()
  return logFilterContextOf(parts, c)
}

/** List of the two HTTP routes that list log entries: `/api/logs` with and without a slash at the end. Clients of other hubs use both. */
export const listLogRoutes = (['/api/logs', '/api/logs/'] as const).map((path) =>
  defineRoute(`GET ${path}`, {
    tag: 'back-office',
    summary: 'Log entries as a list of records',
    access: 'admin',
    response: pageOf(anyRecord),
    handle: async ({ c, query }, parts: LogParts) => listLogs(await flushedLogFilterContext(parts, c), query),
  }),
)

export const readLogStats = defineRoute('GET /api/logs/stats', {
  tag: 'back-office',
  summary: 'Number of log entries by hour; `filter` as in a list of records',
  access: 'admin',
  response: z.array(z.object({ total: z.number(), date: z.string() })),
  handle: async ({ c, query }, parts: LogParts) => logStats(await flushedLogFilterContext(parts, c), query['filter'] ?? ''),
})

export const readLog = defineRoute('GET /api/logs/:id', {
  tag: 'back-office',
  summary: 'One log entry',
  access: 'admin',
  response: shownLog,
  picksFields: true,
  async handle({ params }, { logBook }: LogParts) {
    const found = await loadLog(logBook.database, params.id)
    if (found === undefined) throw notFound()
    return found
  },
})

export const deleteLogs = defineRoute('DELETE /api/logs', {
  tag: 'back-office',
  summary: 'Deletes all log entries',
  access: 'admin',
  response: 'nothing',
  async handle({ actor }, { engine, logBook }: LogParts) {
    await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), { by: actor, action: 'delete', target: 'logs' }))
    await logBook.flush()
    await deleteAllLogs(logBook.database)
  },
})
