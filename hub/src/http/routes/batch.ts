import { Hono } from 'hono'
import type { Settings } from '../../settings/settings.ts'
import { parseBatch, runBatch } from '../../records/batch.ts'
import type { Engine } from '../../records/engine.ts'
import { RecordError } from '../../records/record-error.ts'
import { readBody } from '../request-body.ts'
import { factsOf } from '../request-facts.ts'
import type { Signed } from '../signed.ts'

/** Several writes of records at once, all or none. */
export function batchRoute(engine: Engine, settings: Settings): Hono<Signed> {
  return new Hono<Signed>().post('/api/batch', async (c) => {
    if (!(await settings.load()).batch.enabled) throw new RecordError(403, 'Batch requests are not allowed.')
    const { requests } = await readBody(c)
    return c.json(await runBatch(engine, factsOf(c), parseBatch(requests)))
  })
}
