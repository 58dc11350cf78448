import { Hono } from 'hono'
import { z } from 'zod'
import { listIncidents, listNoisy, type Whose } from '../incidents/incident-list.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { DAY_MS } from '../../history/model/tier.ts'
import { isAdmin } from '../../records/model/actor.ts'
import { badRequest } from '../../records/model/record-error.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { signedIn, type RequestContext } from '../../http/requests/request-context.ts'

const STANDARD_PAGE = 50
const MOST_A_PAGE = 500
const LONGEST_SEARCH = 100
const NOISY_DAYS = 30
const MOST_NOISY = 10

/** What happened to whoever asks: their own alerts' incidents, and which alerts are noisy. */
export function incidentsRoute({ database, clock }: { readonly database: Database; readonly clock: Clock }): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .get('/api/vedette/incidents', async (c) => {
      const { actor } = signedIn(c)
      const asked = parseIncidentQuery(c.req.query())
      // One more than asked for tells whether there are more.
      const found = await listIncidents(database, { ...whose(actor), ...asked, most: asked.most + 1 })
      return c.json({ items: found.slice(0, asked.most), hasMore: found.length > asked.most })
    })
    .get('/api/vedette/incidents/noisy', async (c) => {
      const sinceMs = clock.now() - NOISY_DAYS * DAY_MS
      return c.json({ since: sinceMs, items: await listNoisy(database, whose(signedIn(c).actor), { sinceMs, most: MOST_NOISY }) })
    })
}

const whose = (actor: StoredRecord): Whose => ({ owner: actor.id, isAdmin: isAdmin(actor) })

const time = z.coerce.number('Must be a whole number.').int('Must be a whole number.').optional()
const querySchema = z.object({
  system: z.string().optional(),
  state: z.enum(['firing', 'over'], 'Must be firing or over.').optional(),
  search: z.string().max(LONGEST_SEARCH, `Must be at most ${LONGEST_SEARCH} characters.`).optional(),
  from: time,
  to: time,
  after: z.string().optional(),
  limit: z.coerce.number('Must be a whole number.').int('Must be a whole number.').min(1).max(MOST_A_PAGE).default(STANDARD_PAGE),
})

/** `system`, `state`, `search`, `from` and `to` in epoch milliseconds, `after` (an id) and `limit`. Throws 400. */
function parseIncidentQuery(query: Readonly<Record<string, string>>) {
  const parsed = querySchema.safeParse(query)
  if (!parsed.success)
    throw badRequest(
      'Failed to read the incidents.',
      Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), { code: 'validation_invalid_value', message }])),
    )
  const { from: fromMs, to: toMs, limit: most, ...rest } = parsed.data
  return { ...rest, fromMs, toMs, most }
}
