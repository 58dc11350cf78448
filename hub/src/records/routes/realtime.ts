import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { sessionKey } from '../../accounts/sessions/sessions.ts'
import type { ConnectionGuard } from '../../platform/http/connection-guard.ts'
import { remoteAddress } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { fields } from '../../http/routing/field-schemas.ts'
import { blank } from '../model/field-check.ts'
import { badRequest } from '../model/record-error.ts'
import type { Realtime } from '../realtime/realtime.ts'

type StreamParts = { readonly realtime: Realtime; readonly admission: { readonly connections: Pick<ConnectionGuard, 'proveAccount'> } }

export const openStream = defineRoute('GET /api/realtime', {
  tag: 'realtime',
  summary: 'A stream of server-sent events; the first one carries its client id',
  access: 'anyone',
  response: 'events',
  handle({ c }, { realtime, admission: { connections } }: StreamParts) {
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' }
    const { incoming, outgoing } = c.env ?? {}
    // Without chunks, the end of the connection ends the stream (RFC 9112, 6.3). Chunks would take four writes each, 0.5 ms a poll with 50
    // dashboards.
    outgoing?.removeHeader('transfer-encoding')
    const onAccount = (account: string): void => {
      if (incoming !== undefined) connections.proveAccount(incoming, account)
    }
    const cut = (): void => void outgoing?.destroy()
    const body = realtime.connect({ address: remoteAddress(c), onAccount, cut })
    return new Response(body, { headers })
  },
})

const LONGEST_ID = 255
const tooLong = {
  code: 'validation_length_out_of_range',
  message: `The length must be between 1 and ${LONGEST_ID}.`,
  params: { max: LONGEST_ID, min: 1 },
} as const

export const subscribe = defineRoute('POST /api/realtime', {
  tag: 'realtime',
  summary: 'Replaces the subscriptions of a stream: `COLLECTION/*`, `COLLECTION/ID`, with `?options={"query":{…}}`',
  access: { door: 'anyone', decidedBy: 'the rules of the collections, at each event' },
  body: fields(z.object({ clientId: z.custom<Json>().default(''), subscriptions: z.custom<Json>().optional() })),
  response: 'nothing',
  async handle({ c, actor, proof, body }, { realtime }: { readonly realtime: Realtime }) {
    const { clientId, subscriptions } = await body()
    if (typeof clientId !== 'string') throw badRequest()
    if (clientId === '') throw badRequest(undefined, { clientId: blank })
    if (clientId.length > LONGEST_ID) throw badRequest(undefined, { clientId: tooLong })
    const topics = topicsOf(subscriptions, isForm(c.req.header('content-type') ?? ''))
    await realtime.subscribe(clientId, topics, actor, proof === undefined ? undefined : sessionKey(proof.token))
  },
})

const isForm = (type: string): boolean => !type.startsWith('application/json')

/**
 * Returns the topics in the body of a subscribe request, as list of texts. A missing value means none; a form (`form`) may have a single
 * topic without a list. Throws 400 for values that are not text.
 */
function topicsOf(sent: Json | undefined, form: boolean): readonly string[] {
  if (sent === undefined || sent === null) return []
  const list: readonly Json[] | undefined = Array.isArray(sent) ? sent : form ? [sent] : undefined
  if (list === undefined || !list.every((topic) => typeof topic === 'string')) throw badRequest()
  return list
}
