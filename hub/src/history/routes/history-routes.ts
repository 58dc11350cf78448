import type { Hono } from 'hono'
import type { RequestContext } from '../../http/requests/request-context.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { History } from '../model/history.ts'
import { historyRoute } from './history.ts'
import { retentionRoute } from './retention.ts'

export type HistoryRouteParts = { readonly engine: Engine; readonly access: Access; readonly history: History }

/** Windows of a system's history, and how long it is kept. */
export function historyRoutes({ engine, access, history }: HistoryRouteParts): readonly Hono<RequestContext>[] {
  return [historyRoute({ access, history, clock: engine.clock }), retentionRoute(engine)]
}
