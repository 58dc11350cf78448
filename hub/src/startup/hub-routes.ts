import { accountRoutes, type AccountRouteParts } from '../accounts/routes/account-routes.ts'
import { alertRoutes, type AlertRouteParts } from '../alerts/routes/alert-routes.ts'
import { fleetRoutes, type FleetRouteParts } from '../fleet/routes/fleet-routes.ts'
import { historyRoutes, type HistoryRouteParts } from '../history/routes/history-routes.ts'
import { apiDescriptionRoute } from '../http/description/api-description-route.ts'
import type { Route } from '../http/routing/define-route.ts'
import { closedAddresses } from '../operations/routes/back-office.ts'
import { operationRoutes, type OperationRouteParts } from '../operations/routes/operation-routes.ts'
import { recordRoutes, type RecordRouteParts } from '../records/routes/record-routes.ts'
import { readStoring } from '../samples/routes/storing.ts'
import type { Storing } from '../samples/sample-pipeline.ts'
import { settingRoutes, type SettingRouteParts } from '../settings/routes/setting-routes.ts'

export type HubRouteParts = AccountRouteParts &
  AlertRouteParts &
  FleetRouteParts &
  HistoryRouteParts &
  OperationRouteParts &
  RecordRouteParts &
  SettingRouteParts & { readonly storing: () => Storing }

/** List of all routes of the hub, feature by feature. The first route that matches a request handles it. */
export const hubRoutes: readonly Route<HubRouteParts>[] = [
  ...recordRoutes,
  ...accountRoutes,
  ...alertRoutes,
  ...fleetRoutes,
  ...historyRoutes,
  ...operationRoutes,
  ...settingRoutes,
  readStoring,
  apiDescriptionRoute(() => hubRoutes),
  ...closedAddresses,
]
