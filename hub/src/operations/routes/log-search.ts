import { z } from 'zod'
import type { Auth } from '../../accounts/auth.ts'
import { exportForms, exportLogs } from '../logs/search/export-logs.ts'
import { compiledLogFilter, overlap, type LogFilterContext } from '../logs/search/log-filter.ts'
import { logHistogram } from '../logs/search/log-histogram.ts'
import { presentLog, shownLog } from '../logs/search/log-records.ts'
import { logsAfter, searchLogs } from '../logs/search/log-search.ts'
import { logSize } from '../logs/log-table.ts'
import { isAdmin } from '../../records/model/stored-record.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { defineRoute, admit } from '../../http/routing/define-route.ts'
import { flushedLogFilterContext, logFilterContextOf, type LogParts } from './logs.ts'

const MOST_A_PAGE = 200
const STANDARD_PAGE = 50
const STANDARD_WINDOW_MS = 86_400_000

const natural = z
  .string()
  .regex(/^(?:\d{1,15})?$/, 'Must be a whole number from 0.')
  .transform((text) => (text === '' ? undefined : Number(text)))
  .optional()
const logQuery = z.object({ filter: z.string().default(''), from: natural, to: natural })
const invalid = 'Failed to read the log.'

/**
 * Compiles the filter of a log request to SQL and returns it as `question`. `window` is the intersection of two time ranges: that of the
 * filter's conditions on `created`, and the query's `from` to `to`.
 */
function questionOf(asker: LogFilterContext, { filter, from, to }: z.infer<typeof logQuery>) {
  const question = compiledLogFilter(asker, filter)
  return { question, window: overlap(question.window, { fromMs: from, toMs: to }) }
}

const count = z.number().int()

export const searchLog = defineRoute('GET /api/vedette/logs', {
  tag: 'back-office',
  summary:
    'Log entries, newest first. The next page begins at `before`; `searchedTo` is how far back the search got in time. With `after`: the entries since that number',
  access: 'admin',
  query: logQuery.extend({ before: natural, after: natural, limit: natural }),
  invalid,
  response: z.object({
    items: z.array(shownLog),
    last: count,
    before: count.nullable().optional(),
    searchedTo: count.nullable().optional(),
  }),
  async handle({ c, query }, parts: LogParts) {
    const { database } = parts.logBook
    const { before, after, limit = STANDARD_PAGE } = query
    const most = Math.min(Math.max(limit, 1), MOST_A_PAGE)
    if (after !== undefined) {
      // A live view sends this query after each batch. A flush here would store more entries and cause the next query at once.
      const { rows, last } = await logsAfter(database, questionOf(logFilterContextOf(parts, c), query).question, after, most)
      return { items: rows.map(presentLog).toReversed(), last }
    }
    const { question, window } = questionOf(await flushedLogFilterContext(parts, c), query)
    const found = await searchLogs(database, { question, window, before, most })
    return {
      items: found.rows.map(presentLog),
      last: found.last,
      before: found.before ?? null,
      searchedTo: found.searchedToMs ?? null,
    }
  },
})

export const readLogHistogram = defineRoute('GET /api/vedette/logs/histogram', {
  tag: 'back-office',
  summary: 'Number of log entries over time, by level',
  access: 'admin',
  query: logQuery,
  invalid,
  response: z.object({
    from: count,
    to: count,
    barMs: count,
    bars: z.array(z.object({ startMs: count, level: count, entries: count })),
    total: count,
    countedFrom: count.nullable(),
  }),
  async handle({ c, query }, parts: LogParts) {
    const { database } = parts.logBook
    const { question, window } = questionOf(await flushedLogFilterContext(parts, c), query)
    const toMs = Math.min(window.toMs ?? Number.POSITIVE_INFINITY, parts.engine.clock.now() + 1000)
    const { oldestMs } = await logSize(database)
    const fromMs = Math.min(window.fromMs ?? oldestMs ?? toMs - STANDARD_WINDOW_MS, toMs)
    const isFiltered = query.filter.trim() !== ''
    const { countedFromMs, ...found } = await logHistogram(database, { question, window: { fromMs, toMs }, isFiltered })
    return { from: fromMs, to: toMs, ...found, countedFrom: countedFromMs ?? null }
  },
})

export const readLogSize = defineRoute('GET /api/vedette/logs/size', {
  tag: 'back-office',
  summary: 'Number and bytes of the stored log entries, and the time of the oldest',
  access: 'admin',
  response: z.object({ entries: count, bytes: count, oldest: count.nullable() }),
  async handle(_, { logBook }: LogParts) {
    await logBook.flush()
    const { oldestMs, ...size } = await logSize(logBook.database)
    return { ...size, oldest: oldestMs ?? null }
  },
})

export const exportLog = defineRoute('GET /api/vedette/logs/export', {
  tag: 'back-office',
  summary: 'Log entries as a file: `csv` or `ndjson`',
  // A browser download cannot send a header, so the URL has a short-lived file token.
  access: { door: 'anyone', decidedBy: "an admin's session, or `token`, an admin's file token" },
  query: logQuery.extend({ token: z.string().optional(), format: z.string().default('ndjson') }),
  invalid,
  response: 'file',
  async handle({ c, query }, parts: LogParts & { readonly accounts: { readonly auth: Pick<Auth, 'fileBearer'> } }) {
    const bearer = query.token === undefined ? undefined : await parts.accounts.auth.fileBearer(query.token)
    if (bearer === undefined || !isAdmin(bearer)) admit(c, 'admin')
    const { question, window } = questionOf(await flushedLogFilterContext(parts, c), query)
    const form = exportForms.find((one) => one === query.format)
    if (form === undefined)
      throw badRequest('Failed to export the log.', { format: { code: 'validation_invalid_value', message: 'Must be csv or ndjson.' } })
    const type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
    const disposition = `attachment; filename="logs.${form}"`
    return c.body(exportLogs(parts.logBook.database, { question, window, form }), 200, {
      'content-type': type,
      'content-disposition': disposition,
    })
  },
})
