import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { Hono, type Context } from 'hono'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { withDeadline } from '../../platform/deadline.ts'
import { isAdmin } from '../../records/model/actor.ts'
import { fieldPicker } from '../../records/presentation/pick-fields.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'

/** No backup is being made that another one would have to wait for. */
const CAN_BACKUP = true

/** A database that is there answers at once; whoever watches the hub does not wait longer. */
const DATABASE_ANSWERS_WITHIN_MS = 3000

const proxyHeaders = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'Fly-Client-IP']

/** In which header a proxy seems to say who asked, believed or not; `''` in none. */
const proxyHeaderOf = (c: Context<RequestContext>): string => proxyHeaders.find((name) => c.req.header(name) !== undefined) ?? ''

/** Whether the hub answers, and its database. Throws 503 when that one does not. */
export function healthRoute({ kysely }: Database): Hono<RequestContext> {
  async function answered(): Promise<void> {
    const late = (): RecordError => new RecordError(503, 'The database of this hub does not answer. Try again in a moment.')
    await withDeadline(DATABASE_ANSWERS_WITHIN_MS, sql`select 1`.execute(kysely), late)
  }

  const answer = (c: Context<RequestContext>, data: JsonObject): Response =>
    c.json(fieldPicker(c.req.query('fields') ?? '')({ code: 200, message: 'API is healthy.', data }))

  return (
    new Hono<RequestContext>()
      .get('/api/health', async (c) => {
        await answered()
        return answer(
          c,
          isAdmin(c.var.actor) ? { canBackup: CAN_BACKUP, possibleProxyHeader: proxyHeaderOf(c), realIP: remoteAddress(c) } : {},
        )
      })
      // As clients of the oldest generation ask, and are told.
      .get('/api/health/', async (c) => {
        await answered()
        return answer(c, { canBackup: CAN_BACKUP })
      })
  )
}
