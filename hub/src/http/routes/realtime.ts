import { Hono } from 'hono'
import { blank } from '../../records/field-check.ts'
import type { Realtime } from '../../records/realtime.ts'
import { badRequest } from '../../records/record-error.ts'
import { readBody } from '../request-body.ts'
import type { Signed } from '../signed.ts'

/** The event stream and what is heard on it. */
export function realtimeRoute(realtime: Realtime): Hono<Signed> {
  return new Hono<Signed>()
    .get('/api/realtime', () => {
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
      return new Response(realtime.connect(), { headers })
    })
    .post('/api/realtime', async (c) => {
      const { clientId, subscriptions } = await readBody(c)
      if (typeof clientId !== 'string' || clientId === '') {
        throw badRequest('An error occurred while validating the submitted data.', { clientId: blank })
      }
      const topics = Array.isArray(subscriptions) ? subscriptions.filter((topic) => typeof topic === 'string') : []
      await realtime.subscribe(clientId, topics, c.var.actor)
      return c.body(null, 204)
    })
}
