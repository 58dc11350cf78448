import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { Hono } from 'hono'
import { fieldPicker } from '../../records/presentation/pick-fields.ts'
import { notFound, RecordError } from '../../records/model/record-error.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'

/** What an agent must be told to trust this hub, and its version. `cu` says that the hub looks for updates, which it does not. */
export function hubInfoRoute(publicKey: string): Hono<RequestContext> {
  return new Hono<RequestContext>().on(['GET', 'POST'], ['/api/beszel/getkey', '/api/beszel/info'], (c) => {
    // To a guest only the request that clients make is known.
    if (c.var.actor === undefined && c.req.method === 'POST') throw notFound()
    if (c.var.actor === undefined) throw new RecordError(401, 'The request requires valid record authorization token.')
    return c.json(fieldPicker(c.req.query('fields') ?? '')({ key: publicKey, v: ANNOUNCED_VERSION, cu: false }))
  })
}
