import { ownAccountMade } from '../../accounts/own-account.ts'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { anyRecord, fields, pageOf, sentFields } from '../../http/routing/field-schemas.ts'
import type { Engine } from '../engine/engine.ts'
import type { Collection } from '../model/collection.ts'
import { notFound } from '../model/record-error.ts'
import { listAsJson, presentForRequest, viewRecord } from '../reading/query.ts'
import { createRecord, deleteRecord, updateRecord } from '../writing/write.ts'

type RecordParts = { readonly engine: Engine }

const PATH = '/api/collections/:collection/records'
const ruleOf = (rule: 'list' | 'view' | 'create' | 'update' | 'delete') =>
  ({ door: 'anyone', decidedBy: `the ${rule} rule of the collection` }) as const

const list = defineRoute(`GET ${PATH}`, {
  tag: 'records',
  summary: 'A page of records',
  access: ruleOf('list'),
  keys: 'read',
  response: pageOf(anyRecord),
  async handle({ c, params, query }, { engine }: RecordParts) {
    const json = await listAsJson(engine, collectionToRead(engine, params.collection), factsOf(c), query)
    return c.body(json, 200, { 'content-type': 'application/json' })
  },
})

const view = defineRoute(`GET ${PATH}/:id`, {
  tag: 'records',
  summary: 'One record',
  access: ruleOf('view'),
  keys: 'read',
  response: anyRecord,
  async handle({ c, params, query }, { engine }: RecordParts) {
    const collection = collectionToRead(engine, params.collection)
    const facts = factsOf(c)
    return presentForRequest(engine, { collection, facts }, await viewRecord(engine, collection, facts, params.id), query)
  },
})

const create = defineRoute(`POST ${PATH}`, {
  tag: 'records',
  summary: 'Creates a record',
  access: ruleOf('create'),
  keys: 'write',
  body: fields(sentFields()),
  response: anyRecord,
  async handle({ c, params, query, body }, { engine }: RecordParts) {
    const collection = collectionToWrite(engine, params.collection)
    const facts = factsOf(c, await body())
    const record = (await ownAccountMade(engine, collection, facts)) ?? (await createRecord(engine, collection, facts))
    return presentForRequest(engine, { collection, facts }, record, query)
  },
})

const update = defineRoute(`PATCH ${PATH}/:id`, {
  tag: 'records',
  summary: 'Changes a record',
  access: ruleOf('update'),
  keys: 'write',
  body: fields(sentFields()),
  response: anyRecord,
  async handle({ c, params, query, body }, { engine }: RecordParts) {
    const collection = collectionToWrite(engine, params.collection)
    const facts = factsOf(c, await body())
    return presentForRequest(engine, { collection, facts }, await updateRecord(engine, collection, facts, params.id), query)
  },
})

const remove = defineRoute(`DELETE ${PATH}/:id`, {
  tag: 'records',
  summary: 'Deletes a record',
  access: ruleOf('delete'),
  keys: 'write',
  response: 'nothing',
  handle: ({ c, params }, { engine }: RecordParts) =>
    deleteRecord(engine, collectionToRead(engine, params.collection), factsOf(c), params.id),
})

/** List of the routes that list, view, create, update and delete records of any collection, by the collection's name or id. */
export const recordCrudRoutes = [list, view, create, update, remove]

/**
 * Returns the collection with this name or id, for requests that read or delete records. Throws 404 if there is none, with the message that
 * clients expect for reading.
 */
const collectionToRead = (engine: Engine, nameOrId: string) => collectionOf(engine, nameOrId, 'Missing collection context.')
const collectionToWrite = (engine: Engine, nameOrId: string) => collectionOf(engine, nameOrId, 'Missing or invalid collection context.')

function collectionOf(engine: Engine, nameOrId: string, message: string): Collection {
  const collection = engine.collections.find(nameOrId)
  if (collection === undefined) throw notFound(message)
  return collection
}
