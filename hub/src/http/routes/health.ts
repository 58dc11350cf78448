import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { Hono, type Context } from 'hono'
import { isAdmin } from '../../records/actor.ts'
import { fieldPicker } from '../../records/pick-fields.ts'
import { remoteAddress, type Signed } from '../signed.ts'

/** No backup is being made that another one would have to wait for. */
const CAN_BACKUP = true

/** Whether the hub answers. */
export function healthRoute(): Hono<Signed> {
  const answer = (c: Context<Signed>, data: JsonObject): Response =>
    c.json(fieldPicker(c.req.query('fields') ?? '')({ code: 200, message: 'API is healthy.', data }))

  return (
    new Hono<Signed>()
      .get('/api/health', (c) =>
        answer(c, isAdmin(c.var.actor) ? { canBackup: CAN_BACKUP, possibleProxyHeader: '', realIP: remoteAddress(c) } : {}),
      )
      // As clients of the oldest generation ask, and are told.
      .get('/api/health/', (c) => answer(c, { canBackup: CAN_BACKUP }))
  )
}
