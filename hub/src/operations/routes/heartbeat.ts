import type { Heartbeat } from '../heartbeat/heartbeat.ts'
import { defineRoute } from '../../http/routing/define-route.ts'

type HeartbeatParts = { readonly heartbeat: Heartbeat | undefined }

/** Returns the target URL without its path, which may hold a secret. */
export const readHeartbeat = defineRoute('GET /api/beszel/heartbeat-status', {
  tag: 'hub',
  summary: 'Whether and where the hub sends its heartbeat',
  access: 'person who is an admin',
  response: 'json',
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
  response: 'json',
  async handle(_, { heartbeat }: HeartbeatParts) {
    if (heartbeat === undefined) return { err: 'Heartbeat not configured. Set HEARTBEAT_URL environment variable.' }
    return { err: (await heartbeat.send()) ?? false }
  },
})
