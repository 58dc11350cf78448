import type { Hono } from 'hono'
import { hubSideOf } from '../../delivery/channels/hub-side.ts'
import type { History } from '../../history/model/history.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { alertRehearsalRoute } from './alert-rehearsal.ts'
import { deliveriesRoute } from './deliveries.ts'
import { incidentsRoute } from './incidents.ts'
import { testNotificationRoute } from './test-notification.ts'
import { userAlertsRoute } from './user-alerts.ts'

export type AlertRouteParts = {
  readonly engine: Engine
  readonly access: Access
  readonly history: History
  /** Whether people who are no admins may try addresses of internal networks. */
  readonly internalDestinations: boolean
}

/** Alert rules and their rehearsal, incidents, deliveries and the trial of a channel. */
export function alertRoutes({ engine, access, history, internalDestinations }: AlertRouteParts): readonly Hono<RequestContext>[] {
  const { clock, database, secrets } = engine
  const hub = hubSideOf(secrets)
  return [
    userAlertsRoute(engine),
    alertRehearsalRoute({ access, history, clock }),
    incidentsRoute(engine),
    deliveriesRoute({ database, hub }),
    testNotificationRoute({ hub, clock, internalDestinations }),
  ]
}
