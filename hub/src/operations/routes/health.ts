import type { Context } from 'hono'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../platform/db/database.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { isAdmin } from '../../records/model/stored-record.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import type { Backups } from '../backups/backups.ts'
import type { HubList } from '../health/hub-list.ts'

type HealthParts = {
  readonly engine: { readonly database: Pick<Database, 'kysely'> }
  readonly backups: Pick<Backups, 'working'>
  readonly hubList: Pick<HubList, 'isDrained'>
}

/**
 * Returns true when no backup operation runs, so that a backup can be made now: the field `canBackup` of health responses. False while a
 * backup is made, checked or restored.
 */
const canBackup = ({ backups }: Pick<HealthParts, 'backups'>): boolean => backups.working() === undefined

/**
 * Timeout of the database check in a health request, in ms (3 s). After it the response is 503. External monitors usually do not wait
 * longer.
 */
const DATABASE_ANSWERS_WITHIN_MS = 3000

const proxyHeaders = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'Fly-Client-IP']

/**
 * Returns the name of the first forwarding header that the request has, such as `X-Forwarded-For`, whether or not the sender is a trusted
 * proxy. `''` when it has none.
 */
const proxyHeaderOf = (c: Context<RequestContext>): string => proxyHeaders.find((name) => c.req.header(name) !== undefined) ?? ''

const healthSchema = z.object({
  code: z.literal(200),
  message: z.string(),
  data: z.object({ canBackup: z.boolean().optional(), possibleProxyHeader: z.string().optional(), realIP: z.string().optional() }),
})

export const readHealth = defineRoute('GET /api/health', {
  tag: 'hub',
  summary: 'Whether the hub and its database answer; 503 while the database is away or the hub is drained',
  access: 'anyone',
  response: healthSchema,
  picksFields: true,
  async handle({ c, actor }, parts: HealthParts) {
    await checkReady(parts)
    return healthy(isAdmin(actor) ? { canBackup: canBackup(parts), possibleProxyHeader: proxyHeaderOf(c), realIP: remoteAddress(c) } : {})
  },
})

/** HTTP route of the health check with a trailing slash in its path, which the oldest versions of clients request. */
export const readHealthWithSlash = defineRoute('GET /api/health/', {
  tag: 'hub',
  summary: 'The same for clients of the oldest generation',
  access: 'anyone',
  response: healthSchema,
  picksFields: true,
  async handle(_, parts: HealthParts) {
    await checkReady(parts)
    return healthy({ canBackup: canBackup(parts) })
  },
})

const healthy = (data: z.infer<typeof healthSchema>['data']) => ({ code: 200 as const, message: 'API is healthy.', data })

/**
 * Throws 503 when the database does not respond, or when this hub is drained (its systems are given to other hubs). A load balancer then
 * uses another hub.
 */
async function checkReady({ engine, hubList }: HealthParts): Promise<void> {
  if (hubList.isDrained()) throw new RecordError(503, 'This hub is drained. Use another hub.')
  await checkDatabase(engine.database)
}

/**
 * Sends a query to the hub's database, for the health check. Resolves when the database has responded; rejects with 503 if that takes over
 * 3 s.
 */
async function checkDatabase({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  const late = (): RecordError => new RecordError(503, 'The database of this hub does not answer. Try again in a moment.')
  await withDeadline(DATABASE_ANSWERS_WITHIN_MS, sql`select 1`.execute(kysely), late)
}
