import { Hono } from 'hono'
import type { UniversalTokens } from '../universal-token.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { askedByPerson, type RequestContext } from '../../http/requests/request-context.ts'

/** The token with which any number of agents enrol as systems of the one who asks. Who may only look has none. */
export function universalTokenRoute(tokens: UniversalTokens): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/api/beszel/universal-token', async (c) => {
    const { actor } = askedByPerson(c, 'Superusers cannot use universal tokens.')
    if (actor['role'] === 'readonly') throw new RecordError(403, 'The authorized record is not allowed to perform this action.')
    const { enable = '', permanent = '', token = '' } = c.req.query()
    c.header('cache-control', 'no-store')
    if (enable === '1') return c.json(await tokens.enable(actor.id, token, permanent === '1'))
    if (enable !== '0') return c.json(await tokens.read(actor.id, token))
    await tokens.disable(actor.id)
    return c.json({ token, active: false, permanent: false })
  })
}
