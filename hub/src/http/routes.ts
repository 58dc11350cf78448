import type { Hono } from 'hono'
import { accountRoutes, type AccountRouteParts } from '../accounts/routes/account-routes.ts'
import { alertRoutes, type AlertRouteParts } from '../alerts/routes/alert-routes.ts'
import { fleetRoutes, type FleetRouteParts } from '../fleet/routes/fleet-routes.ts'
import { historyRoutes, type HistoryRouteParts } from '../history/routes/history-routes.ts'
import { operationRoutes, type OperationRouteParts } from '../operations/routes/operation-routes.ts'
import { recordRoutes, type RecordRouteParts } from '../records/routes/record-routes.ts'
import { storingRoute } from '../samples/routes/storing.ts'
import type { Storing } from '../samples/storing.ts'
import { settingRoutes, type SettingRouteParts } from '../settings/routes/setting-routes.ts'
import { apiDescriptionRoute } from './description/api-description-route.ts'
import type { RequestContext } from './requests/request-context.ts'

export type RouteParts = AccountRouteParts &
  AlertRouteParts &
  FleetRouteParts &
  HistoryRouteParts &
  OperationRouteParts &
  RecordRouteParts &
  SettingRouteParts & { readonly storing: () => Storing }

/** Every route of the hub, by feature. */
export const hubRoutes = (parts: RouteParts): readonly Hono<RequestContext>[] => [
  ...accountRoutes(parts),
  ...alertRoutes(parts),
  ...fleetRoutes(parts),
  ...historyRoutes(parts),
  ...operationRoutes(parts),
  ...recordRoutes(parts),
  ...settingRoutes(parts),
  storingRoute(parts.storing),
  apiDescriptionRoute(parts.engine.collections),
]
