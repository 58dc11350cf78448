import type { Hono } from 'hono'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Attempts } from '../../accounts/attempts.ts'
import type { RequestAdmission } from '../../http/connections/request-admission.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { Backups } from '../backups/backups.ts'
import type { Heartbeat } from '../heartbeat/heartbeat.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { LogBook } from '../logs/log-book.ts'
import { auditRoute } from './audit.ts'
import { backOfficeRoute } from './back-office.ts'
import { backupsRoute } from './backups.ts'
import { heartbeatRoute } from './heartbeat.ts'
import { hubHealthRoute } from './hub-health.ts'
import { hubInfoRoute } from './hub-info.ts'
import { jobsRoute } from './jobs.ts'
import { logSearchRoute } from './log-search.ts'
import { logsRoute } from './logs.ts'
import { systemEventsRoute } from './system-events.ts'

export type OperationRouteParts = {
  readonly engine: Engine
  readonly access: Access
  readonly accounts: Accounts
  readonly attempts: Attempts
  readonly admission: RequestAdmission
  readonly backups: Backups
  /** Undefined: the hub tells nobody that it is alive. */
  readonly heartbeat: Heartbeat | undefined
  readonly jobs: Jobs
  readonly logBook: LogBook
  /** The hub's key as agents are told it: `ssh-ed25519 AAAA…`. */
  readonly publicKey: string
  /** Starts the hub anew once everything is answered. */
  readonly restart: () => void
}

/** Whether the hub is well, what it does by itself and what it did. */
export function operationRoutes(parts: OperationRouteParts): readonly Hono<RequestContext>[] {
  const { engine, access, accounts, admission, logBook } = parts
  const { clock, database } = engine
  const logs = { engine, book: logBook }
  return [
    hubInfoRoute(parts.publicKey),
    hubHealthRoute({ database, clock, untrustedForwarding: admission.untrustedForwarding }),
    heartbeatRoute(parts.heartbeat),
    auditRoute(database),
    logsRoute(logs),
    logSearchRoute(logs, accounts.auth),
    jobsRoute(engine, parts.jobs),
    backupsRoute({ ...parts, auth: accounts.auth, limits: admission.connections.limits }),
    backOfficeRoute(engine),
    systemEventsRoute({ access, database, clock }),
  ]
}
