import { Hono } from 'hono'
import type { Storing } from '../storing.ts'
import { signedIn, type RequestContext } from '../../http/requests/request-context.ts'

/** Whether samples are being stored. Changes of it are the realtime topic `storing`. For everybody who is signed in. */
export function storingRoute(storing: () => Storing): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/api/vedette/storing', (c) => {
    signedIn(c)
    return c.json(storing())
  })
}
