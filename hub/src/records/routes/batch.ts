import { Hono } from 'hono'
import type { Settings } from '../../settings/settings.ts'
import { parseBatch, runBatch } from '../writing/batch.ts'
import type { Engine } from '../engine/engine.ts'
import { RecordError } from '../model/record-error.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { factsOf } from '../../http/requests/request-facts.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'

/** Several writes of records at once, all or none. */
export function batchRoute(engine: Engine, settings: Settings): Hono<RequestContext> {
  return new Hono<RequestContext>().post('/api/batch', async (c) => {
    if (!(await settings.load()).batch.enabled) throw new RecordError(403, 'Batch requests are not allowed.')
    const { requests } = await readBody(c)
    return c.json(await runBatch(engine, factsOf(c), parseBatch(requests)))
  })
}
