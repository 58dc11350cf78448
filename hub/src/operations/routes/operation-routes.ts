import type { Accounts } from '../../accounts/accounts.ts'
import type { Attempts } from '../../accounts/attempts.ts'
import type { RequestAdmission } from '../../http/requests/request-admission.ts'
import type { Route } from '../../http/routing/define-route.ts'
import type { Access } from '../../records/engine/access.ts'
import type { History } from '../../history/model/history.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { Backups } from '../backups/backups.ts'
import type { Imports } from '../transfer/imports.ts'
import type { Heartbeat } from '../heartbeat/heartbeat.ts'
import type { HubList } from '../health/hub-list.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { LogBook } from '../logs/log-book.ts'
import { listAuditLog } from './audit.ts'
import { backOfficeRoutes } from './back-office.ts'
import { compatibleBackupRoutes } from './backups/backups.ts'
import { confirmedBackupRoutes } from './backups/confirmed-backups.ts'
import { readHealth, readHealthWithSlash } from './health.ts'
import { readHeartbeat, sendHeartbeat } from './heartbeat.ts'
import { readHubHealth } from './hub-health.ts'
import { importRoutes } from './imports.ts'
import { drainHub, endDrainOfHub, listHubs } from './hubs.ts'
import { hubInfoRoutes } from './hub-info.ts'
import { listCrons, listJobs, runJob } from './jobs.ts'
import { exportLog, readLogHistogram, readLogSize, searchLog } from './log-search.ts'
import { deleteLogs, listLogRoutes, readLog, readLogStats } from './logs.ts'
import { readExposition } from './metrics.ts'
import { listSystemEvents } from './system-events.ts'

export type OperationRouteParts = {
  readonly engine: Engine
  readonly history: History
  readonly access: Access
  readonly accounts: Accounts
  readonly attempts: Attempts
  readonly admission: RequestAdmission
  readonly backups: Backups
  readonly imports: Imports
  /** Sender of heartbeats to an external monitor. `undefined` when the operator configured none. */
  readonly heartbeat: Heartbeat | undefined
  readonly hubList: HubList
  readonly jobs: Jobs
  readonly logBook: LogBook
  /** Public SSH key of the hub in `authorized_keys` format: `ssh-ed25519 AAAA…`. */
  readonly publicKey: string
  /** Function that restarts the hub after the responses in progress were sent, so that it carries out a restore or uses imported data. */
  readonly restart: () => void
}

/** List of the HTTP routes of health, metrics, hubs, heartbeats, logs, jobs, backups, imports, systems' events and the back-office. */
export const operationRoutes: readonly Route<OperationRouteParts>[] = [
  readHealth,
  readHealthWithSlash,
  ...hubInfoRoutes,
  readExposition,
  readHubHealth,
  listHubs,
  drainHub,
  endDrainOfHub,
  readHeartbeat,
  sendHeartbeat,
  listAuditLog,
  ...listLogRoutes,
  readLogStats,
  readLog,
  deleteLogs,
  searchLog,
  readLogHistogram,
  readLogSize,
  exportLog,
  listCrons,
  runJob,
  listJobs,
  ...compatibleBackupRoutes,
  ...confirmedBackupRoutes,
  ...importRoutes,
  ...backOfficeRoutes,
  listSystemEvents,
]
