import type { Json } from '@vedette/protocol/wire/stats-json'
import { Hono } from 'hono'
import { sessionKey } from '../../accounts/sessions/sessions.ts'
import { blank } from '../model/field-check.ts'
import type { Realtime } from '../realtime/realtime.ts'
import { badRequest } from '../model/record-error.ts'
import type { ConnectionGuard } from '../../http/connections/connection-guard.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'

/** The event stream and what is heard on it. */
export function realtimeRoute(realtime: Realtime, { proveAccount }: Pick<ConnectionGuard, 'proveAccount'>): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .get('/api/realtime', (c) => {
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
      const { incoming, outgoing } = c.env ?? {}
      const onAccount = (account: string): void => {
        if (incoming !== undefined) proveAccount(incoming, account)
      }
      const cut = (): void => void outgoing?.destroy()
      const body = realtime.connect({ address: remoteAddress(c), onAccount, cut })
      return new Response(body, { headers })
    })
    .post('/api/realtime', async (c) => {
      const { clientId = '', subscriptions } = await readBody(c)
      if (typeof clientId !== 'string') throw badRequest()
      if (clientId === '') throw badRequest(undefined, { clientId: blank })
      if (clientId.length > LONGEST_ID) throw badRequest(undefined, { clientId: tooLong })
      const topics = topicsOf(subscriptions, isForm(c.req.header('content-type') ?? ''))
      const { actor, proof } = c.var
      await realtime.subscribe(clientId, topics, actor, proof === undefined ? undefined : sessionKey(proof.token))
      return c.body(null, 204)
    })
}

const LONGEST_ID = 255
const tooLong = {
  code: 'validation_length_out_of_range',
  message: `The length must be between 1 and ${LONGEST_ID}.`,
  params: { max: LONGEST_ID, min: 1 },
} as const

const isForm = (type: string): boolean => !type.startsWith('application/json')

/** Left out is none; in a form one topic is a list of one. Throws 400 for what is no list of texts. */
function topicsOf(sent: Json | undefined, form: boolean): readonly string[] {
  if (sent === undefined || sent === null) return []
  const list: readonly Json[] | undefined = Array.isArray(sent) ? sent : form ? [sent] : undefined
  if (list === undefined || !list.every((topic) => typeof topic === 'string')) throw badRequest()
  return list
}
