import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { anyRecord, fields } from '../../http/routing/field-schemas.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Engine } from '../engine/engine.ts'
import { RecordError } from '../model/record-error.ts'
import { parseBatch, runBatch } from '../writing/batch.ts'

type BatchParts = { readonly engine: Engine; readonly accounts: { readonly settings: Settings } }

export const writeBatch = defineRoute('POST /api/batch', {
  tag: 'records',
  summary: 'Several writes of records in one transaction: all or none',
  access: { door: 'anyone', decidedBy: 'the rules of the collections' },
  keys: 'write',
  body: fields(z.object({ requests: z.custom<Json>().optional() })),
  response: z.array(z.object({ status: z.number(), body: anyRecord })),
  async handle({ c, body }, { engine, accounts }: BatchParts) {
    if (!(await accounts.settings.load()).batch.enabled) throw new RecordError(403, 'Batch requests are not allowed.')
    const { requests } = await body()
    return runBatch(engine, factsOf(c), parseBatch(requests))
  },
})
