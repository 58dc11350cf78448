import { Hono } from 'hono'
import type { Collections } from '../../records/model/collection.ts'
import type { Signed } from '../requests/signed.ts'

/** What this hub answers, as OpenAPI: for tools that make clients of it. Made when it is first asked for. */
export function apiDescriptionRoute(collections: Collections): Hono<Signed> {
  let text: string | undefined
  return new Hono<Signed>().get('/api/vedette/openapi.json', async (c) => {
    if (text === undefined) {
      const { apiDescription } = await import('./api-description.ts')
      text = JSON.stringify(apiDescription(collections))
    }
    return c.body(text, 200, { 'content-type': 'application/json' })
  })
}
