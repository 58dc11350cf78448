import { z } from 'zod'
import type { WebPushKey } from '../../delivery/channels/channel.ts'
import { applicationServerKey } from '../../delivery/channels/vapid.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { pageSize } from '../../http/routing/field-schemas.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { listDeliveries, listedDelivery } from '../notifications/delivery-list.ts'

export const readDeliveries = defineRoute('GET /api/vedette/deliveries', {
  tag: 'alerts',
  summary:
    "Notifications to the caller's own channels and their outcome, newest first: `after` is the id of the last one of the page before",
  access: 'signed in',
  query: z.object({ after: z.string().optional(), limit: pageSize({ standard: 50, most: 500 }) }),
  invalid: 'Failed to read the deliveries.',
  response: z.object({ items: z.array(listedDelivery), hasMore: z.boolean() }),
  async handle({ actor, query: { limit, after } }, { engine }: { readonly engine: Pick<Engine, 'database' | 'store'> }) {
    // One row beyond the page shows whether there is another page.
    const found = await listDeliveries(engine, { owner: actor.id, after, most: limit + 1 })
    return { items: found.slice(0, limit), hasMore: found.length > limit }
  },
})

export const readWebPushKey = defineRoute('GET /api/vedette/web-push-key', {
  tag: 'alerts',
  summary: "The hub's public key for Web Push in base64url, with which a browser subscribes",
  access: 'signed in',
  response: z.object({ key: z.string() }),
  handle: (_, { webPushKey }: { readonly webPushKey: WebPushKey }) => ({
    key: applicationServerKey(webPushKey),
  }),
})
