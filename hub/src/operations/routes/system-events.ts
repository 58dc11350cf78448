import { Hono } from 'hono'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Access } from '../../records/engine/access.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { loadEvents, type EventWindow } from '../system-events/event-table.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'

type EventParts = { readonly access: Access; readonly database: Database; readonly clock: Clock }

const HOUR_MS = 3_600_000

/** When a system was up, down or paused, when its machine started again, and when the hub was not there to see. */
export function systemEventsRoute({ access, database, clock }: EventParts): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/api/systems/:system/events', async (c) => {
    const system = await access.viewable(c.var.actor, 'systems', c.req.param('system'))
    const items = await loadEvents(database.kysely, system.id, parseWindow(c.req.query(), clock.now()))
    return c.json({ items }, 200, { 'cache-control': 'private, no-store' })
  })
}

const WHOLE = 'Must be a whole number.'
const time = z.coerce.number(WHOLE).int(WHOLE).nonnegative('Must be no less than 0.').optional()
const windowSchema = z.object({ from: time, to: time })

/** `from` and `to`, epoch milliseconds; the last hour without them. Throws 400. */
function parseWindow(query: Readonly<Record<string, string>>, nowMs: number): EventWindow {
  const parsed = windowSchema.safeParse(query)
  if (!parsed.success) throw refused(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])))
  const { to: toMs = nowMs, from: fromMs = toMs - HOUR_MS } = parsed.data
  if (fromMs >= toMs) throw refused({ from: 'Must be before "to".' })
  return { fromMs, toMs }
}

const refused = (problems: Readonly<Record<string, string>>) =>
  badRequest(
    'Failed to read the events.',
    Object.fromEntries(Object.entries(problems).map(([name, message]) => [name, { code: 'validation_invalid_value', message }])),
  )
