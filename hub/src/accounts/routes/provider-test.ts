import { Hono } from 'hono'
import type { Accounts } from '../accounts.ts'
import { ProviderFailure } from '../providers/profile.ts'
import { blank } from '../../records/model/field-check.ts'
import { badRequest, notFound } from '../../records/model/record-error.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'

/** Whether a provider, as it is stored, can be reached and knows this hub; who sets it up is told in its words. */
export function providerTestRoute({ providers, askProvider }: Accounts): Hono<RequestContext> {
  return new Hono<RequestContext>().post('/api/vedette/providers/:name/test', async (c) => {
    askedByAdmin(c)
    const { redirectURL = '' } = await readBody(c)
    if (typeof redirectURL !== 'string' || redirectURL === '') throw badRequest(undefined, { redirectURL: blank })
    const provider = (await providers.load()).providers.find(({ name }) => name === c.req.param('name'))
    if (provider === undefined) throw notFound()
    try {
      return c.json(await askProvider.tryClient(provider, redirectURL))
    } catch (error) {
      throw error instanceof ProviderFailure ? badRequest(`Failed to test the provider. Raw error: \n${error.message}`) : error
    }
  })
}
