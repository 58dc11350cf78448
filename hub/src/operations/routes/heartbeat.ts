import { Hono } from 'hono'
import type { Heartbeat } from '../heartbeat/heartbeat.ts'
import { askedByAdmin, askedByPerson, type RequestContext } from '../../http/requests/request-context.ts'

/** Whether and where the hub says that it is alive, and one try of it. Admins only; of the address they see no more than its place. */
export function heartbeatRoute(heartbeat: Heartbeat | undefined): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .get('/api/beszel/heartbeat-status', (c) => {
      askedByPerson(c)
      askedByAdmin(c)
      if (heartbeat === undefined) return c.json({ enabled: false, msg: 'Set HEARTBEAT_URL to enable outbound heartbeat monitoring' })
      const { url, intervalSeconds, method } = heartbeat.target
      return c.json({ enabled: true, url: new URL(url.reveal()).origin, interval: intervalSeconds, method })
    })
    .post('/api/beszel/test-heartbeat', async (c) => {
      askedByPerson(c)
      askedByAdmin(c)
      if (heartbeat === undefined) return c.json({ err: 'Heartbeat not configured. Set HEARTBEAT_URL environment variable.' })
      return c.json({ err: (await heartbeat.send()) ?? false })
    })
}
