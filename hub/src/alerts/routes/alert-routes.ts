import type { Attempts } from '../../accounts/attempts.ts'
import type { WebPushKey } from '../../delivery/channels/channel.ts'
import type { History } from '../../history/model/history.ts'
import type { Route } from '../../http/routing/define-route.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { acknowledge } from './acknowledge.ts'
import { acknowledgeByLink, viewByLink } from './acknowledge-by-link.ts'
import { readAlertRules } from './alert-rules.ts'
import { readAlertPreview } from './alert-preview.ts'
import { readDeliveries, readWebPushKey } from './deliveries.ts'
import { readIncidents, readNoisyAlerts } from './incidents.ts'
import { previewMessages } from './message-preview.ts'
import { testNotification } from './test-notification.ts'
import { readUpstreams } from './upstreams.ts'
import { removeAlerts, setAlerts } from './user-alerts.ts'

export type AlertRouteParts = {
  readonly engine: Engine
  readonly access: Access
  readonly history: History
  readonly webPushKey: WebPushKey
  /** Rate limiter for uses of the links in messages that acknowledge an alert. */
  readonly linkUses: Attempts
  /** True when users who are not admins may send notifications to servers in internal networks. */
  readonly internalDestinations: boolean
}

/**
 * List of the HTTP routes of alerts: rules, previews, upstreams, incidents (firing periods), acknowledgement, deliveries, the Web Push key,
 * and tests of channels and messages.
 */
export const alertRoutes: readonly Route<AlertRouteParts>[] = [
  setAlerts,
  removeAlerts,
  readAlertPreview,
  readAlertRules,
  readUpstreams,
  readIncidents,
  readNoisyAlerts,
  acknowledge,
  viewByLink,
  acknowledgeByLink,
  readDeliveries,
  readWebPushKey,
  testNotification,
  previewMessages,
]
