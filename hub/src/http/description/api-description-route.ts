import type { Collections } from '../../records/model/collection.ts'
import { defineRoute, type RouteDeclaration } from '../routing/define-route.ts'

/**
 * Returns the route that responds with the hub's OpenAPI document, for tools that generate clients. The document is built on the first
 * request.
 */
export function apiDescriptionRoute(routes: () => readonly RouteDeclaration[]) {
  let text: string | undefined
  return defineRoute('GET /api/vedette/openapi.json', {
    tag: 'hub',
    summary: 'This description',
    access: 'anyone',
    keys: 'read',
    response: 'file',
    async handle({ c }, { engine }: { readonly engine: { readonly collections: Collections } }) {
      if (text === undefined) {
        const { apiDescription } = await import('./api-description.ts')
        text = JSON.stringify(apiDescription(engine.collections, routes()))
      }
      return c.body(text, 200, { 'content-type': 'application/json' })
    },
  })
}
