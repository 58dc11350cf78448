import { nullRecord, type NullRecord } from '@vedette/protocol/null-record'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Collection, Collections, RuleName } from '../../records/model/collection.ts'
import type { RouteDeclaration } from '../routing/define-route.ts'
import { errorResponses, jsonContent, pathParameters, responses, routeOperation, type RouteOperation } from './route-operation.ts'
import { recordSchema, writtenSchema } from './record-schemas.ts'

/**
 * Returns the OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.1) of the whole API as JSON object. It has the records API of each
 * collection that stores records, and all other routes except those for every method (`ALL`).
 */
export function apiDescription({ all }: Collections, routes: readonly RouteDeclaration[]): JsonObject {
  const served = all.filter(({ storage }) => storage !== 'none')
  const declared = routes.filter(({ method, path }) => method !== 'ALL' && !isRecordPath(path)).map(routeOperation)
  const calls = [...declared, ...served.flatMap(describeRecords)]
  const paths = nullRecord<NullRecord<Json>>()
  for (const { method, path, described } of calls) (paths[path] ??= nullRecord())[method] = described
  return {
    openapi: '3.1.1',
    info: {
      title: 'Vedette',
      version: VEDETTE_VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
      description: 'The API of a Vedette hub. Filters, sorts, fields and expands are described in docs/api.md.',
    },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token or the API key, with or without `Bearer`' },
      },
      schemas: {
        Error: errorSchema,
        ...Object.fromEntries(served.map((collection): [string, Json] => [collection.name, recordSchema(collection)])),
        ...Object.fromEntries(
          served.filter(isWritable).map((collection): [string, Json] => [`${collection.name}.written`, writtenSchema(collection)]),
        ),
      },
    },
    paths,
  }
}

/**
 * Returns true for a path of the records API (PocketBase-compatible CRUD API). The API description repeats such a path for each collection.
 */
const isRecordPath = (path: string): boolean => /^\/api\/collections\/:collection\/records(?:\/:id)?$/.test(path)

const errorSchema: JsonObject = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    code: { type: 'integer', description: 'The same, as older clients read it' },
    message: { type: 'string' },
    data: { type: 'object', description: 'Field → `{code, message, params?}`' },
  },
  required: ['status', 'code', 'message', 'data'],
}

/**
 * Returns true when clients can write records of the collection by the records API. False for collections whose records only the hub itself
 * makes.
 */
const isWritable = ({ storage }: Collection): boolean => storage === 'table' || storage === 'view'

function describeRecords(collection: Collection): readonly RouteOperation[] {
  const { name } = collection
  const path = `/api/collections/${name}/records`
  const one = `${path}/{id}`
  const record: JsonObject = { $ref: `#/components/schemas/${name}` }
  const body: JsonObject = { requestBody: { content: jsonContent({ $ref: `#/components/schemas/${name}.written` }) } }
  const id = pathParameters('/:id')
  const reading: readonly RouteOperation[] = [
    { method: 'get', path, described: ruled(collection, 'list', { parameters: listParameters, answer: pageOf(record) }) },
    { method: 'get', path: one, described: ruled(collection, 'view', { parameters: [...id, ...shownParameters], answer: record }) },
  ]
  if (!isWritable(collection)) return reading
  return [
    ...reading,
    { method: 'post', path, described: { ...ruled(collection, 'create', { parameters: shownParameters, answer: record }), ...body } },
    {
      method: 'patch',
      path: one,
      described: { ...ruled(collection, 'update', { parameters: [...id, ...shownParameters], answer: record }), ...body },
    },
    { method: 'delete', path: one, described: ruled(collection, 'delete', { parameters: id, answer: undefined }) },
  ]
}

type Ruled = { readonly parameters: readonly JsonObject[]; readonly answer: JsonObject | undefined }

function ruled({ name, rules }: Collection, action: Exclude<RuleName, 'stored'>, { parameters, answer }: Ruled): JsonObject {
  const rule = rules[action]
  const who = rule === null ? 'Admins only.' : rule === '' ? 'Anybody.' : `Admins, and whoever satisfies \`${rule}\`.`
  return {
    tags: [name],
    summary: `${action} ${name}`,
    description: who,
    ...(rule === '' ? {} : { security: [{ token: [] }] }),
    parameters,
    responses: {
      ...(answer === undefined ? responses.nothing : { 200: { description: 'Done', content: jsonContent(answer) } }),
      ...errorResponses,
    },
  }
}

const parameter = (name: string, type: string, description: string): JsonObject => ({ name, in: 'query', schema: { type }, description })

const shownParameters: readonly JsonObject[] = [
  parameter('fields', 'string', 'Fields to send, such as `id,name,expand.system.name`'),
  parameter('expand', 'string', 'Relations to follow, such as `system,user`'),
]

const listParameters: readonly JsonObject[] = [
  parameter('page', 'integer', 'From 1'),
  parameter('perPage', 'integer', 'At most 1000, else 30'),
  parameter('skipTotal', 'boolean', 'Spares counting: totals are -1'),
  parameter('sort', 'string', 'Such as `-created,name`; also `@random` and `@rowid`'),
  parameter('filter', 'string', 'Such as `status = "up" && info.cpu > 50`'),
  ...shownParameters,
]

function pageOf(record: JsonObject): JsonObject {
  const count: JsonObject = { type: 'integer' }
  return {
    type: 'object',
    properties: { page: count, perPage: count, totalItems: count, totalPages: count, items: { type: 'array', items: record } },
  }
}
