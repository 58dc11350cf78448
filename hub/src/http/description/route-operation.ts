import { z } from 'zod'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { KeyUse } from '../../records/model/key-scope.ts'
import { isJsonObject } from '../../platform/json.ts'
import { type ResponseKind, type RouteDeclaration, doorOf } from '../routing/define-route.ts'

/**
 * Entry of a route in the OpenAPI document: method, path with `{name}` for each variable segment, and `described`, the OpenAPI operation.
 */
export type RouteOperation = { readonly method: string; readonly path: string; readonly described: JsonObject }

export const errorResponses: JsonObject = {
  default: { description: 'The reason', content: jsonContent({ $ref: '#/components/schemas/Error' }) },
}

export const responses: Readonly<Record<ResponseKind, JsonObject>> = {
  nothing: { 204: { description: 'Done' } },
  events: { 200: { description: 'Events until either side ends the stream', content: { 'text/event-stream': {} } } },
  file: { 200: { description: 'The file', content: { '*/*': {} } } },
  text: { 200: { description: 'The text', content: { 'text/plain': {} } } },
  redirect: { 307: { description: 'Back to the dashboard' } },
  upgrade: { 101: { description: 'Upgraded to a WebSocket' } },
  refused: {},
}

export function routeOperation({
  method,
  path,
  tag,
  summary,
  access,
  keys,
  query,
  body,
  response,
  picksFields,
}: RouteDeclaration): RouteOperation {
  const parameters = [
    ...pathParameters(path),
    ...queryParameters(query).map(([name, schema]) => ({ name, in: 'query', schema })),
    ...(picksFields === true ? [{ name: 'fields', in: 'query', schema: { type: 'string' } }] : []),
  ]
  const door = doorOf(access)
  const answered =
    typeof response === 'string'
      ? responses[response]
      : { 200: { description: 'Done', content: jsonContent(schemaOf(response, 'output')) } }
  return {
    method: method.toLowerCase(),
    path: path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}'),
    described: {
      tags: [tag],
      summary,
      description: whoMayCall({ access, keys }),
      ...(door === 'anyone' ? {} : { security: [{ token: [] }] }),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: { content: jsonContent(schemaOf(body.schema, 'input')) } }),
      responses: { ...answered, ...errorResponses },
    },
  }
}

/**
 * Returns the OpenAPI parameters of a route's URL path, in path order. `/api/logs/:id` gives one parameter `id`; a segment `*` gives one
 * with the name `path`.
 */
export const pathParameters = (path: string): readonly JsonObject[] =>
  [...path.matchAll(/:(\w+)|\*/g)].map(([, name = 'path']) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

/**
 * Returns the parameters in the schema of a route's query as pairs of parameter name and JSON Schema. Empty for a route without a query.
 */
export const queryParameters = (query: z.ZodType | undefined): readonly (readonly [string, Json])[] =>
  query === undefined ? [] : Object.entries(propertiesOf(query))

/** Returns the names of the fields of a route's request body, for the API description; an empty list without a body. */
export const bodyFields = (body: RouteDeclaration['body']): readonly string[] =>
  body === undefined ? [] : Object.keys(propertiesOf(body.schema))

function propertiesOf(schema: z.ZodType): JsonObject {
  const { properties } = schemaOf(schema, 'input')
  return isJsonObject(properties) ? properties : {}
}

const doors: Readonly<Record<ReturnType<typeof doorOf>, string>> = {
  anyone: 'Anyone',
  'signed in': 'Signed-in accounts',
  person: 'Signed-in people',
  admin: 'Admins',
  'person who is an admin': 'Admins who signed in as a person',
  'API key': 'API keys only',
  'oldest-generation admin': 'Admins who signed in through `/api/admins` or `_superusers`',
}

/** Returns a phrase for the API description that says who may call a route, such as admins only, and with which API keys. */
export function whoMayCall({ access, keys }: Pick<RouteDeclaration, 'access'> & { readonly keys?: KeyUse | undefined }): string {
  return keys === undefined ? doorText(access) : `${doorText(access)}; ${keys} keys`
}

function doorText(access: RouteDeclaration['access']): string {
  if (typeof access === 'string') return doors[access]
  return access.door === 'anyone' ? `Decided by ${access.decidedBy}` : `${doors[access.door]}, by ${access.decidedBy}`
}

export function jsonContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, '~standard': __, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonObject // JSON Schema is JSON
}
