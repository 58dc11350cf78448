import { Hono } from 'hono'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { loadHealth, type HealthWindow } from '../health/health-table.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'
import type { UntrustedForwarding } from '../../http/connections/untrusted-forwarding.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** As many as a chart shows. */
const MOST_STEPS = 400

type HealthRouteParts = {
  readonly database: Database
  readonly clock: Clock
  readonly untrustedForwarding: () => readonly UntrustedForwarding[]
}

/** How the hub itself was, and what its operator should look into; for admins. */
export function hubHealthRoute({ database, clock, untrustedForwarding }: HealthRouteParts): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/api/vedette/hub-health', async (c) => {
    askedByAdmin(c)
    const window = parseWindow(c.req.query(), clock.now())
    const items = await loadHealth(database, window)
    return c.json({ ...window, items, untrustedForwarding: untrustedForwarding() }, 200, { 'cache-control': 'private, no-store' })
  })
}

const WHOLE = 'Must be a whole number.'
const time = z.coerce.number(WHOLE).int(WHOLE).nonnegative('Must be no less than 0.').optional()
const windowSchema = z.object({ from: time, to: time })

/** `from` and `to`, epoch milliseconds; the last day without them. Steps are whole minutes. Throws 400. */
function parseWindow(query: Readonly<Record<string, string>>, nowMs: number): HealthWindow {
  const parsed = windowSchema.safeParse(query)
  const problems = parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [String(path[0]), wrong(message)] as const)
  if (!parsed.success) throw badRequest('Failed to read the health of the hub.', Object.fromEntries(problems))
  const { to: toMs = nowMs, from: fromMs = Math.max(0, toMs - DAY_MS) } = parsed.data
  if (fromMs >= toMs) throw badRequest('Failed to read the health of the hub.', { from: wrong('Must be before "to".') })
  return { fromMs, toMs, stepMs: Math.max(1, Math.ceil((toMs - fromMs) / MINUTE_MS / MOST_STEPS)) * MINUTE_MS }
}

const wrong = (message: string) => ({ code: 'validation_invalid_value', message })
