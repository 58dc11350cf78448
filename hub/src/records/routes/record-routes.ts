import type { Hono } from 'hono'
import type { RequestAdmission } from '../../http/connections/request-admission.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'
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
  readonly admission: RequestAdmission
}

/** The records API: one by one, in batches, and as they change. */
export function recordRoutes({ engine, accounts, realtime, admission }: RecordRouteParts): readonly Hono<RequestContext>[] {
  return [recordsRoute(engine), batchRoute(engine, accounts.settings), realtimeRoute(realtime, admission.connections)]
}
