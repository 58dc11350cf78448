import { z } from 'zod'
import { DAY_MS } from '../../history/model/tier.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { pageSize, wholeNumber } from '../../http/routing/field-schemas.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAdmin, type StoredRecord } from '../../records/model/stored-record.ts'
import { listedIncident, listIncidents, listNoisy, noisyAlert, type IncidentReader } from '../incidents/incident-list.ts'

const LONGEST_SEARCH = 100
const NOISY_DAYS = 30
const MOST_NOISY = 10

type IncidentParts = { readonly engine: { readonly database: Database; readonly clock: Clock } }

const whose = (actor: StoredRecord): IncidentReader => ({ owner: actor.id, isAdmin: isAdmin(actor) })

export const readIncidents = defineRoute('GET /api/vedette/incidents', {
  tag: 'alerts',
  summary: "Incidents of the caller's own alerts, newest first: `after` is the id of the last one of the page before",
  access: 'signed in',
  keys: 'read',
  query: z.object({
    system: z.string().optional(),
    state: z.enum(['firing', 'over'], 'Must be firing or over.').optional(),
    search: z.string().max(LONGEST_SEARCH, `Must be at most ${LONGEST_SEARCH} characters.`).optional(),
    from: wholeNumber.optional(),
    to: wholeNumber.optional(),
    after: z.string().optional(),
    limit: pageSize({ standard: 50, most: 500 }),
  }),
  invalid: 'Failed to read the incidents.',
  response: z.object({ items: z.array(listedIncident), hasMore: z.boolean() }),
  async handle({ actor, query: { from: fromMs, to: toMs, limit, ...rest } }, { engine }: IncidentParts) {
    // One row beyond the page shows whether there is another page.
    const found = await listIncidents(engine.database, { ...whose(actor), ...rest, fromMs, toMs, most: limit + 1 })
    return { items: found.slice(0, limit), hasMore: found.length > limit }
  },
})

export const readNoisyAlerts = defineRoute('GET /api/vedette/incidents/noisy', {
  tag: 'alerts',
  summary: "The caller's own alerts that fired most in the last 30 days",
  access: 'signed in',
  keys: 'read',
  response: z.object({ since: z.number(), items: z.array(noisyAlert) }),
  async handle({ actor }, { engine: { database, clock } }: IncidentParts) {
    const sinceMs = clock.now() - NOISY_DAYS * DAY_MS
    return { since: sinceMs, items: await listNoisy(database, whose(actor), { sinceMs, most: MOST_NOISY }) }
  },
})
