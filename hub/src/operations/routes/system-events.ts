import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Access } from '../../records/engine/access.ts'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { windowOf, windowQuery } from '../../http/routing/field-schemas.ts'
import { loadEvents, systemEvent } from '../system-events/system-events.ts'

type EventParts = { readonly access: Access; readonly engine: { readonly database: Database; readonly clock: Clock } }

const HOUR_MS = 3_600_000
const invalid = 'Failed to read the events.'

export const listSystemEvents = defineRoute('GET /api/systems/:system/events', {
  tag: 'history',
  summary:
    'Events of a system, oldest first: up, down, paused, resumed, restarted, hub-started, hub-stopped, and container-exited and container-out-of-memory with `container` and `exitCode`; before them its state at `from`. The last hour without `from` and `to`',
  access: { door: 'anyone', decidedBy: 'the view rule of systems' },
  keys: 'read',
  query: windowQuery,
  invalid,
  response: z.object({ items: z.array(systemEvent) }),
  headers: { 'cache-control': 'private, no-store' },
  async handle({ c, params, query }, { access, engine: { database, clock } }: EventParts) {
    const system = await access.viewable(factsOf(c), 'systems', params.system)
    const window = windowOf(query, { nowMs: clock.now(), lengthMs: HOUR_MS, invalid })
    return { items: await loadEvents(database.kysely, system.id, window) }
  },
})
