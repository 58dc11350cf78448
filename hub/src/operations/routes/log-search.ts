import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Auth } from '../../accounts/auth.ts'
import { Hono, type Context } from 'hono'
import { exportLogs, exportForms } from '../logs/search/export-logs.ts'
import { logQuestion, overlap, type LogAsker } from '../logs/search/log-filter.ts'
import { logHistogram } from '../logs/search/log-histogram.ts'
import { presentLog } from '../logs/search/log-records.ts'
import { logsAfter, searchLogs } from '../logs/search/log-search.ts'
import { logSize, type LogWindow } from '../logs/log-table.ts'
import { isAdmin } from '../../records/model/actor.ts'
import { badRequest, type FieldError } from '../../records/model/record-error.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'
import { logAsker, logAskerOf, type LogsParts } from './logs.ts'

const MOST_A_PAGE = 200
const STANDARD_PAGE = 50
const STANDARD_WINDOW_MS = 86_400_000

/** The log by pages that are there at once, how much there was when, and as a file. Admins only. */
export function logSearchRoute(parts: LogsParts, auth: Pick<Auth, 'fileBearer'>): Hono<RequestContext> {
  const { database } = parts.book
  const asked = async (c: Context<RequestContext>) => askedBy(c, await logAsker(parts, c))
  const askedBy = (c: Context<RequestContext>, asker: LogAsker) => {
    const question = logQuestion(asker, c.req.query('filter') ?? '')
    const given: LogWindow = { fromMs: numberIn(c, 'from'), toMs: numberIn(c, 'to') }
    return { question, window: overlap(question.window, given) }
  }

  return new Hono<RequestContext>()
    .get('/api/vedette/logs', async (c) => {
      askedByAdmin(c)
      const most = Math.min(Math.max(numberIn(c, 'limit') ?? STANDARD_PAGE, 1), MOST_A_PAGE)
      const after = numberIn(c, 'after')
      if (after !== undefined) {
        // Asked when something was stored: were more stored for it, that would be told of and asked for in turn, without a pause.
        const { rows, last } = await logsAfter(database, askedBy(c, logAskerOf(parts, c)).question, after, most)
        return c.json({ items: rows.map(presentLog).toReversed(), last })
      }
      const { question, window } = await asked(c)
      const { rows, last, before, searchedToMs } = await searchLogs(database, { question, window, before: numberIn(c, 'before'), most })
      const answer: Json = {
        items: rows.map(presentLog),
        last,
        before: before ?? null,
        searchedTo: searchedToMs ?? null,
      }
      return c.json(answer)
    })
    .get('/api/vedette/logs/histogram', async (c) => {
      const { question, window } = await asked(c)
      const toMs = Math.min(window.toMs ?? Number.POSITIVE_INFINITY, parts.engine.clock.now() + 1000)
      const { oldestMs } = await logSize(database)
      const fromMs = Math.min(window.fromMs ?? oldestMs ?? toMs - STANDARD_WINDOW_MS, toMs)
      const isFiltered = (c.req.query('filter') ?? '').trim() !== ''
      const { countedFromMs, ...found } = await logHistogram(database, { question, window: { fromMs, toMs }, isFiltered })
      const answer: Json = {
        from: fromMs,
        to: toMs,
        ...found,
        bars: found.bars.map((bar) => ({ ...bar })),
        countedFrom: countedFromMs ?? null,
      }
      return c.json(answer)
    })
    .get('/api/vedette/logs/size', async (c) => {
      askedByAdmin(c)
      await parts.book.flush()
      const { oldestMs, ...size } = await logSize(database)
      return c.json({ ...size, oldest: oldestMs ?? null })
    })
    .get('/api/vedette/logs/export', async (c) => {
      // A browser that saves a file cannot send a header: the address has a token for files in it, which is good for minutes.
      const token = c.req.query('token')
      const bearer = token === undefined ? undefined : await auth.fileBearer(token)
      if (bearer === undefined || !isAdmin(bearer)) askedByAdmin(c)
      await parts.book.flush()
      const { question, window } = askedBy(c, logAskerOf(parts, c))
      const form = exportForms.find((one) => one === (c.req.query('format') ?? 'ndjson'))
      if (form === undefined) throw badRequest('Failed to export the log.', { format: wrong('Must be csv or ndjson.') })
      const type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
      const disposition = `attachment; filename="logs.${form}"`
      return c.body(exportLogs(database, { question, window, form }), 200, { 'content-type': type, 'content-disposition': disposition })
    })
}

const wrong = (message: string): FieldError => ({ code: 'validation_invalid_value', message })

/** A whole number that is not negative; undefined where there is none. */
function numberIn(c: Context<RequestContext>, name: string): number | undefined {
  const text = c.req.query(name) ?? ''
  if (text === '') return undefined
  if (!/^\d{1,15}$/.test(text)) throw badRequest('Failed to read the log.', { [name]: wrong('Must be a whole number from 0.') })
  return Number(text)
}
