import { z } from 'zod'
import { defineRoute } from '../../http/routing/define-route.ts'
import { fields, sentFields } from '../../http/routing/field-schemas.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { changesBetween, noteInAudit } from '../../records/writing/audit-log.ts'
import { changedRetention, retentionForm, retentionSettings } from '../../settings/retention-settings.ts'
import type { Tier } from '../model/tier.ts'
import { forecastOf } from '../read/forecast.ts'
import { loadSizes, type Retention } from '../store/retention.ts'

const ofTier = z.object({
  blocks: z.number(),
  storedBytes: z.number(),
  oldestMs: z.number().nullable(),
  bytesPerDay: z.number(),
  reachDays: z.number(),
})
const retentionResponse = z.object({
  days: z.object({ '1m': z.number(), '10m': z.number(), '2h': z.number() }),
  mostBytes: z.number().nullable(),
  forecast: z.object({
    storedBytes: z.number(),
    bytesPerDay: z.number(),
    finalBytes: z.number(),
    tiers: z.object({ '1m': ofTier, '10m': ofTier, '2h': ofTier }),
  }),
})

type RetentionParts = { readonly engine: { readonly database: Database; readonly clock: Clock } }

export const readRetention = defineRoute('GET /api/vedette/settings/retention', {
  tag: 'history',
  summary: 'How long the history is kept, its bytes a day, and how far back each tier will reach',
  access: 'admin',
  response: retentionResponse,
  handle: async (_, { engine }: RetentionParts) => present(engine, await retentionSettings(engine.database).load()),
})

export const changeRetention = defineRoute('PATCH /api/vedette/settings/retention', {
  tag: 'history',
  summary: 'Changes the retention: `days` by tier (`1m`, `10m`, `2h`) and `mostBytes`, a number or null',
  access: 'admin',
  body: fields(sentFields({ days: 'object', mostBytes: 'number' })),
  response: retentionResponse,
  async handle({ actor, body }, { engine }: RetentionParts) {
    const settings = retentionSettings(engine.database)
    const before = await settings.load()
    const changed = changedRetention(before, await body())
    const changes = changesBetween(retentionForm(before), retentionForm(changed), () => false)
    const note = { by: actor, action: 'update', target: 'retention', changes }
    await settings.save(changed, (unit) => noteInAudit(unit, engine.clock.now(), note))
    return present(engine, changed)
  },
})

/**
 * Resolves to the response body of the retention routes: the retention settings, and a forecast of the history's size by tier (resolution).
 */
async function present({ database, clock }: RetentionParts['engine'], retention: Retention): Promise<z.infer<typeof retentionResponse>> {
  const { tiers: byTier, ...all } = forecastOf(await loadSizes(database.kysely), retention, clock.now())
  const of = (tier: Tier) => ({ ...byTier[tier], oldestMs: byTier[tier].oldestMs ?? null })
  return { ...retentionForm(retention), forecast: { ...all, tiers: { '1m': of('1m'), '10m': of('10m'), '2h': of('2h') } } }
}
