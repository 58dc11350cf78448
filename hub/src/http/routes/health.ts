import { Hono } from 'hono'
import { isAdmin } from '../../records/actor.ts'
import { fieldPicker } from '../../records/pick-fields.ts'
import { remoteAddress, type Signed } from '../signed.ts'

/** Whether the hub answers. */
export function healthRoute(): Hono<Signed> {
  return new Hono<Signed>().on('GET', ['/api/health', '/api/health/'], (c) => {
    const data = isAdmin(c.var.actor) ? { canBackup: false, possibleProxyHeader: '', realIP: remoteAddress(c) } : {}
    return c.json(fieldPicker(c.req.query('fields') ?? '')({ code: 200, message: 'API is healthy.', data }))
  })
}
