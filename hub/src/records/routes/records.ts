import { Hono } from 'hono'
import { ownAccountMade } from '../../accounts/own-account.ts'
import type { Collection } from '../model/collection.ts'
import type { Engine } from '../engine/engine.ts'
import { listAsJson, presentAsked, viewRecord } from '../reading/query.ts'
import { notFound } from '../model/record-error.ts'
import { createRecord, deleteRecord, updateRecord } from '../writing/write.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { factsOf } from '../../http/requests/request-facts.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'

/** The records of every collection, by its name or id. */
export function recordsRoute(engine: Engine): Hono<RequestContext> {
  const find = (nameOrId: string, message: string): Collection => {
    const collection = engine.collections.find(nameOrId)
    if (collection === undefined) throw notFound(message)
    return collection
  }
  const NONE = 'Missing collection context.'
  const NONE_TO_WRITE = 'Missing or invalid collection context.'

  return new Hono<RequestContext>()
    .get('/api/collections/:collection/records', async (c) => {
      const json = await listAsJson(engine, find(c.req.param('collection'), NONE), factsOf(c), c.req.query())
      return c.body(json, 200, { 'content-type': 'application/json' })
    })
    .get('/api/collections/:collection/records/:id', async (c) => {
      const collection = find(c.req.param('collection'), NONE)
      const facts = factsOf(c)
      const record = await viewRecord(engine, collection, facts, c.req.param('id'))
      return c.json(await presentAsked(engine, { collection, facts }, record, c.req.query()))
    })
    .post('/api/collections/:collection/records', async (c) => {
      const collection = find(c.req.param('collection'), NONE_TO_WRITE)
      const facts = factsOf(c, await readBody(c))
      const record = (await ownAccountMade(engine, collection, facts)) ?? (await createRecord(engine, collection, facts))
      return c.json(await presentAsked(engine, { collection, facts }, record, c.req.query()))
    })
    .patch('/api/collections/:collection/records/:id', async (c) => {
      const collection = find(c.req.param('collection'), NONE_TO_WRITE)
      const facts = factsOf(c, await readBody(c))
      const record = await updateRecord(engine, collection, facts, c.req.param('id'))
      return c.json(await presentAsked(engine, { collection, facts }, record, c.req.query()))
    })
    .delete('/api/collections/:collection/records/:id', async (c) => {
      await deleteRecord(engine, find(c.req.param('collection'), NONE), factsOf(c), c.req.param('id'))
      return c.body(null, 204)
    })
}
