import type { Json } from '@vedette/protocol/wire/stats-json'
import { Hono } from 'hono'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { forecastOf } from '../read/forecast.ts'
import { loadSizes, type Retention } from '../store/retention.ts'
import { tiers } from '../model/tier.ts'
import { changesBetween, noteInAudit } from '../../records/writing/audit-log.ts'
import { changedRetention, retentionForm, retentionSettings } from '../../settings/retention-settings.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'

/** How long the history is kept, what that takes and how far back it will reach. Admins only. */
export function retentionRoute({ database, clock }: { readonly database: Database; readonly clock: Clock }): Hono<RequestContext> {
  const settings = retentionSettings(database)

  async function answer(retention: Retention): Promise<Json> {
    const { tiers: byTier, ...all } = forecastOf(await loadSizes(database.kysely), retention, clock.now())
    const perTier = Object.fromEntries(tiers.map((tier) => [tier, { ...byTier[tier], oldestMs: byTier[tier].oldestMs ?? null }]))
    return { ...retentionForm(retention), forecast: { ...all, tiers: perTier } }
  }

  return new Hono<RequestContext>()
    .get('/api/vedette/settings/retention', async (c) => {
      askedByAdmin(c)
      return c.json(await answer(await settings.load()))
    })
    .patch('/api/vedette/settings/retention', async (c) => {
      const { actor } = askedByAdmin(c)
      const before = await settings.load()
      const changed = changedRetention(before, await readBody(c))
      const changes = changesBetween(retentionForm(before), retentionForm(changed), () => false)
      await settings.save(changed, (unit) => noteInAudit(unit, clock.now(), { by: actor, action: 'update', target: 'retention', changes }))
      return c.json(await answer(changed))
    })
}
