import { Hono } from 'hono'
import type { HubSide } from '../../delivery/channels/channel.ts'
import { InternalDestination } from '../../delivery/channels/tell-channel.ts'
import type { Clock } from '../../platform/clock.ts'
import { testAddress } from '../notifications/test-address.ts'
import { isInternal } from '../../platform/outgoing/internal-address.ts'
import { isAdmin } from '../../records/model/actor.ts'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import { randomId } from '../../records/model/record-id.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { signedIn, type RequestContext } from '../../http/requests/request-context.ts'

type Parts = { readonly hub: HubSide; readonly clock: Clock; readonly internalDestinations: boolean }

/** Tells a person who tries an address for notifications what came of it. */
export function testNotificationRoute({ hub, clock, internalDestinations }: Parts): Hono<RequestContext> {
  return new Hono<RequestContext>().post('/api/beszel/test-notification', async (c) => {
    const { actor } = signedIn(c)
    const url = (await readBody(c).catch((): Body => ({})))['url']
    if (typeof url !== 'string' || url === '') throw badRequest('URL is required.')
    const [escape] = /%(?![0-9a-f]{2}).{0,2}/i.exec(beforeQuery(url)) ?? []
    if (escape !== undefined) throw badRequest(`Parse "${url}": invalid URL escape "${escape}".`)
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    const mayAskInternal = internalDestinations || isAdmin(actor)
    if (!mayAskInternal && isInternal(host)) throw forbidden('Only admins can send to internal destinations.')
    try {
      return c.json({ err: await testAddress(url, { hub, key: randomId(20), nowMs: clock.now(), mayAskInternal }) })
    } catch (error) {
      throw error instanceof InternalDestination ? forbidden(error.message) : error
    }
  })
}

const forbidden = (message: string): RecordError => new RecordError(403, message)

/** A query may hold what it likes: templates do. */
const beforeQuery = (url: string): string => url.split('?', 1)[0] ?? ''
