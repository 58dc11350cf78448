import { z } from 'zod'
import { DAY_MS } from '../../history/model/tier.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { pageSize, wholeNumber } from '../../http/routing/field-schemas.ts'
import { factsOf } from '../../http/requests/request-context.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { listedIncident, listIncidents, listNoisy, noisyAlert } from '../incidents/incident-list.ts'

const LONGEST_SEARCH = 100
const NOISY_DAYS = 30
const MOST_NOISY = 10

type IncidentParts = { readonly engine: Engine }

export const readIncidents = defineRoute('GET /api/vedette/incidents', {
  tag: 'alerts',
  summary:
    "Incidents of the caller's own alerts, and those that were escalated to the caller, newest first: `after` is the id of the last one of the page before",
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
  async handle({ c, actor, query: { from: fromMs, to: toMs, limit, ...rest } }, { engine }: IncidentParts) {
    // One row beyond the page shows whether there is another page.
    const found = await listIncidents(engine, { owner: actor.id, facts: factsOf(c), ...rest, fromMs, toMs, most: limit + 1 })
    return { items: found.slice(0, limit), hasMore: found.length > limit }
  },
})

export const readNoisyAlerts = defineRoute('GET /api/vedette/incidents/noisy', {
  tag: 'alerts',
  summary: "The caller's own alerts that fired most in the last 30 days",
  access: 'signed in',
  keys: 'read',
  response: z.object({ since: z.number(), items: z.array(noisyAlert) }),
  async handle({ c, actor }, { engine }: IncidentParts) {
    const sinceMs = engine.clock.now() - NOISY_DAYS * DAY_MS
    return { since: sinceMs, items: await listNoisy(engine, { owner: actor.id, facts: factsOf(c) }, { sinceMs, most: MOST_NOISY }) }
  },
})
