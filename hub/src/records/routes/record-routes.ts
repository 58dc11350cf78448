import type { Hono } from 'hono'
import type { Arrivals } from '../../http/connections/arrivals.ts'
import type { Signed } from '../../http/requests/signed.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Engine } from '../engine/engine.ts'
import type { Realtime } from '../realtime/realtime.ts'
import { batchRoute } from './batch.ts'
import { realtimeRoute } from './realtime.ts'
import { recordsRoute } from './records.ts'

export type RecordRouteParts = {
  readonly engine: Engine
  readonly accounts: { readonly settings: Settings }
  readonly realtime: Realtime
  readonly arrivals: Arrivals
}

/** The records API: one by one, in batches, and as they change. */
export function recordRoutes({ engine, accounts, realtime, arrivals }: RecordRouteParts): readonly Hono<Signed>[] {
  return [recordsRoute(engine), batchRoute(engine, accounts.settings), realtimeRoute(realtime, arrivals.connections)]
}
