import { z } from 'zod'
import type { Heartbeat } from '../heartbeat/heartbeat.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { errorText } from '../../http/routing/field-schemas.ts'

type HeartbeatParts = { readonly heartbeat: Heartbeat | undefined }

/**
 * HTTP route that returns whether the hub sends a heartbeat to an external monitor, with method and interval. The monitor's URL is cut to
 * its origin, because its path may hold a secret.
 */
export const readHeartbeat = defineRoute('GET /api/beszel/heartbeat-status', {
  tag: 'hub',
  summary: 'Whether and where the hub sends its heartbeat',
  access: 'person who is an admin',
  response: z.object({
    enabled: z.boolean(),
    msg: z.string().optional(),
    url: z.string().optional(),
    interval: z.number().optional(),
    method: z.enum(['POST', 'GET', 'HEAD']).optional(),
  }),
  handle(_, { heartbeat }: HeartbeatParts) {
    if (heartbeat === undefined) return { enabled: false, msg: 'Set HEARTBEAT_URL to enable outbound heartbeat monitoring' }
    const { url, intervalSeconds, method } = heartbeat.target
    return { enabled: true, url: new URL(url.reveal()).origin, interval: intervalSeconds, method }
  },
})

export const sendHeartbeat = defineRoute('POST /api/beszel/test-heartbeat', {
  tag: 'hub',
  summary: 'Sends the heartbeat now',
  access: 'person who is an admin',
  response: z.object({ err: errorText }),
  async handle(_, { heartbeat }: HeartbeatParts) {
    if (heartbeat === undefined) return { err: 'Heartbeat not configured. Set HEARTBEAT_URL environment variable.' }
    return { err: (await heartbeat.send()) ?? (false as const) }
  },
})
