import { Hono } from 'hono'
import type { Collections } from '../../records/model/collection.ts'
import type { RequestContext } from '../requests/request-context.ts'

/** What this hub answers, as OpenAPI: for tools that make clients of it. Made when it is first asked for. */
export function apiDescriptionRoute(collections: Collections): Hono<RequestContext> {
  let text: string | undefined
  return new Hono<RequestContext>().get('/api/vedette/openapi.json', async (c) => {
    if (text === undefined) {
      const { apiDescription } = await import('./api-description.ts')
      text = JSON.stringify(apiDescription(collections))
    }
    return c.body(text, 200, { 'content-type': 'application/json' })
  })
}
