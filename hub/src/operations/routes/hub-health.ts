import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { UntrustedForwarding } from '../../platform/http/untrusted-forwarding.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { windowOf, windowQuery } from '../../http/routing/field-schemas.ts'
import { loadHealth } from '../health/health-table.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/**
 * Maximum number of time steps, 400, in a response with the hub's health (CPU, memory, queues over time). Longer time ranges get longer
 * steps. A range that begins within a step can have one more.
 */
const MOST_STEPS = 400

type HealthParts = {
  readonly engine: { readonly database: Database; readonly clock: Clock }
  readonly admission: { readonly untrustedForwarding: () => readonly UntrustedForwarding[] }
}

const invalid = 'Failed to read the health of the hub.'

const health = z.object({
  at: z.number(),
  cpuPercent: z.number(),
  residentBytes: z.number(),
  heapBytes: z.number(),
  loopLateMs: z.number(),
  databaseBytes: z.number().nullable(),
  agents: z.number(),
  waitingSamples: z.number(),
  waitingMessages: z.number().nullable(),
  waitingLogs: z.number(),
})

export const readHubHealth = defineRoute('GET /api/vedette/hub-health', {
  tag: 'back-office',
  summary: "The hub's own measurements in steps of whole minutes, the last day without `from` and `to`, and ignored forwarding headers",
  access: 'admin',
  query: windowQuery,
  invalid,
  response: z.object({
    fromMs: z.number(),
    toMs: z.number(),
    stepMs: z.number(),
    items: z.array(health),
    untrustedForwarding: z.array(z.object({ address: z.string(), header: z.string(), firstAtMs: z.number() })),
  }),
  headers: { 'cache-control': 'private, no-store' },
  async handle({ query }, { engine: { database, clock }, admission }: HealthParts) {
    const window = windowOf(query, { nowMs: clock.now(), lengthMs: DAY_MS, invalid })
    const stepMs = Math.max(1, Math.ceil((window.toMs - window.fromMs) / MINUTE_MS / MOST_STEPS)) * MINUTE_MS
    const items = await loadHealth(database, { ...window, stepMs })
    return { ...window, stepMs, items, untrustedForwarding: admission.untrustedForwarding() }
  },
})
