import { Hono } from 'hono'
import { InternalDestination, NotificationFailed, sendToWebhook, type Notice } from '../../notifications/generic-webhook.ts'
import { isInternal } from '../../outgoing/internal-address.ts'
import { isAdmin } from '../../records/actor.ts'
import { badRequest, RecordError } from '../../records/record-error.ts'
import type { Body } from '../../records/sent-values.ts'
import { readBody } from '../request-body.ts'
import { signedIn, type Signed } from '../signed.ts'

const test: Notice = { title: 'Test alert', message: 'This is a test notification from Vedette.' }

/** Tells a person who tries an address for notifications what came of it. The one service this hub sends through is a webhook. */
export function testNotificationRoute(): Hono<Signed> {
  return new Hono<Signed>().post('/api/beszel/test-notification', async (c) => {
    const { actor } = signedIn(c)
    const url = (await readBody(c).catch((): Body => ({})))['url']
    if (typeof url !== 'string' || url === '') throw badRequest('URL is required.')
    const [escape] = /%(?![0-9a-f]{2}).{0,2}/i.exec(url) ?? []
    if (escape !== undefined) throw badRequest(`Parse "${url}": invalid URL escape "${escape}".`)
    const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? []
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    if (!isAdmin(actor) && isInternal(host)) throw new RecordError(403, 'Only admins can send to internal destinations.')
    return c.json({
      err: await problemOf(url, { isService: /^generic(?:\+https?)?$/i.test(scheme) && host !== '', scheme, isAdmin: isAdmin(actor) }),
    })
  })
}

type Tried = { readonly isService: boolean; readonly scheme: string; readonly isAdmin: boolean }

/** What is wrong with an address; false when the notice was taken. Throws 403 for who names an internal one and is no admin. */
async function problemOf(url: string, { isService, scheme, isAdmin: mayAskAll }: Tried): Promise<string | false> {
  if (!isService) return `locating service for URL "${url}": unknown service: "${scheme}"`
  try {
    await sendToWebhook(url, test, { isAdmin: mayAskAll })
    return false
  } catch (error) {
    if (error instanceof InternalDestination) throw new RecordError(403, error.message)
    if (!(error instanceof NotificationFailed)) throw error
    return error.message
  }
}
