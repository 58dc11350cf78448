import { Hono } from 'hono'
import { z } from 'zod'
import type { HubSide } from '../../delivery/channels/channel.ts'
import { applicationServerKey } from '../../delivery/channels/vapid.ts'
import type { Database } from '../../platform/db/database.ts'
import { listDeliveries } from '../notifications/delivery-list.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { signedIn, type RequestContext } from '../../http/requests/request-context.ts'

const STANDARD_PAGE = 50
const MOST_A_PAGE = 500

type Parts = { readonly database: Database; readonly hub: HubSide }

/** What went out to whoever asks and what came of it, and what a browser needs to be a channel. */
export function deliveriesRoute({ database, hub }: Parts): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .get('/api/vedette/deliveries', async (c) => {
      const { actor } = signedIn(c)
      const { limit, after } = parseQuery(c.req.query())
      // One more than asked for tells whether there are more.
      const found = await listDeliveries(database, { owner: actor.id, after, most: limit + 1 })
      return c.json({ items: found.slice(0, limit), hasMore: found.length > limit })
    })
    .get('/api/vedette/web-push-key', (c) => {
      signedIn(c)
      return c.json({ key: applicationServerKey(hub.webPushKey) })
    })
}

const querySchema = z.object({
  after: z.string().optional(),
  limit: z.coerce.number('Must be a whole number.').int('Must be a whole number.').min(1).max(MOST_A_PAGE).default(STANDARD_PAGE),
})

/** `after` (an id) and `limit`. Throws 400. */
function parseQuery(query: Readonly<Record<string, string>>) {
  const parsed = querySchema.safeParse(query)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => [String(path[0]), { code: 'validation_invalid_value', message }])
  throw badRequest('Failed to read the deliveries.', Object.fromEntries(problems))
}
