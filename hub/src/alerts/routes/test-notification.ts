import { z } from 'zod'
import type { WebPushKey } from '../../delivery/channels/channel.ts'
import { InternalDestination } from '../../delivery/channels/channels.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { errorText, textOrEmpty } from '../../http/routing/field-schemas.ts'
import { isInternal } from '../../platform/outgoing/internal-address.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { isAdmin } from '../../records/model/stored-record.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { loadNoticeWords } from '../notifications/words/notice-text.ts'
import { testAddress } from '../notifications/test-address.ts'

type TestParts = {
  readonly engine: Pick<Engine, 'clock' | 'store'>
  readonly webPushKey: WebPushKey
  /** True when users who are not admins may send notifications to servers in internal networks. */
  readonly internalDestinations: boolean
}

export const testNotification = defineRoute('POST /api/beszel/test-notification', {
  tag: 'alerts',
  summary: 'Sends a test notification to an address: `err` is false, or the reason why it failed',
  access: 'signed in',
  // Clients of this route expect one message for every unreadable body.
  body: { schema: z.object({ url: textOrEmpty }), read: (c) => readBody(c).catch((): Body => ({})) },
  response: z.object({ err: errorText }),
  async handle({ actor, body }, { engine: { clock, store }, webPushKey, internalDestinations }: TestParts) {
    const { url } = await body()
    if (url === '') throw badRequest('URL is required.')
    const [escape] = /%(?![0-9a-f]{2}).{0,2}/i.exec(beforeQuery(url)) ?? []
    if (escape !== undefined) throw badRequest(`Parse "${url}": invalid URL escape "${escape}".`)
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    const mayAskInternal = internalDestinations || isAdmin(actor)
    if (!mayAskInternal && isInternal(host)) throw forbidden('Only admins can send to internal destinations.')
    const words = await loadNoticeWords(store, actor.id)
    try {
      return { err: await testAddress(url, { webPushKey, key: randomId(20), nowMs: clock.now(), words, mayAskInternal }) }
    } catch (error) {
      throw error instanceof InternalDestination ? forbidden(error.message) : error
    }
  },
})

const forbidden = (message: string): RecordError => new RecordError(403, message)

/**
 * Returns the part of a channel address (URL) before the first `?`. Only there are percent escapes checked, since the query may have
 * templates with any character.
 */
const beforeQuery = (url: string): string => url.split('?', 1)[0] ?? ''
