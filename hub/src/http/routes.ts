import type { Context, Hono } from 'hono'
import type { Accounts } from '../auth/accounts.ts'
import type { Attempts } from '../auth/attempts.ts'
import type { FirstRun } from '../auth/first-run.ts'
import type { UniversalTokens } from '../auth/universal-token.ts'
import type { Backups } from '../backups/backups.ts'
import { hubSideOf } from '../channels/hub-side.ts'
import type { Agents } from '../fleet/fleet.ts'
import type { AgentFiles } from '../handout/agent-files.ts'
import type { Heartbeat } from '../heartbeat/heartbeat.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { LogBook } from '../logs/log-book.ts'
import type { LogQueue } from '../logs/log-queue.ts'
import type { History } from '../history/history.ts'
import type { Storing } from '../metrics/storing.ts'
import type { Access } from '../records/access.ts'
import type { Engine } from '../records/engine.ts'
import type { Realtime } from '../records/realtime.ts'
import type { Arrivals } from './arrivals.ts'
import { accountRoute } from './routes/account.ts'
import { agentAnswersRoute } from './routes/agent-answers.ts'
import { agentCareRoute } from './routes/agent-care.ts'
import { agentConnectRoute } from './routes/agent-connect.ts'
import { agentFilesRoute } from './routes/agent-files.ts'
import { alertRehearsalRoute } from './routes/alert-rehearsal.ts'
import { apiDescriptionRoute } from './routes/api-description.ts'
import { auditRoute } from './routes/audit.ts'
import { authRoute } from './routes/auth.ts'
import { authByMailRoute } from './routes/auth-by-mail.ts'
import { backOfficeRoute } from './routes/back-office.ts'
import { backupsRoute } from './routes/backups.ts'
import { batchRoute } from './routes/batch.ts'
import { configYamlRoute } from './routes/config-yaml.ts'
import { firstRunRoute } from './routes/first-run.ts'
import { healthRoute } from './routes/health.ts'
import { heartbeatRoute } from './routes/heartbeat.ts'
import { historyRoute } from './routes/history.ts'
import { hubHealthRoute } from './routes/hub-health.ts'
import { hubInfoRoute } from './routes/hub-info.ts'
import { deliveriesRoute } from './routes/deliveries.ts'
import { incidentsRoute } from './routes/incidents.ts'
import { jobsRoute } from './routes/jobs.ts'
import { logSearchRoute } from './routes/log-search.ts'
import { logsRoute } from './routes/logs.ts'
import { oldAdminsRoute } from './routes/old-admins.ts'
import { oneTimeCodesRoute } from './routes/one-time-codes.ts'
import { ownSettingsRoute } from './routes/own-settings.ts'
import { providerTestRoute } from './routes/provider-test.ts'
import { providersRoute } from './routes/providers.ts'
import { realtimeRoute } from './routes/realtime.ts'
import { recordsRoute } from './routes/records.ts'
import { retentionRoute } from './routes/retention.ts'
import { settingsRoute } from './routes/settings.ts'
import { signInWaysRoute } from './routes/sign-in-ways.ts'
import { storingRoute } from './routes/storing.ts'
import { systemEventsRoute } from './routes/system-events.ts'
import { testNotificationRoute } from './routes/test-notification.ts'
import { universalTokenRoute } from './routes/universal-token.ts'
import { userAlertsRoute } from './routes/user-alerts.ts'
import type { Signed } from './signed.ts'

/** What the routes are made of. */
export type HttpParts = {
  readonly engine: Engine
  readonly access: Access
  readonly accounts: Accounts
  readonly attempts: Attempts
  /** Letters that were asked for, counted apart from passwords that were tried. */
  readonly requests: Attempts
  readonly realtime: Realtime
  readonly firstRun: FirstRun
  readonly universalTokens: UniversalTokens
  /** Undefined: the hub tells nobody that it is alive. */
  readonly heartbeat: Heartbeat | undefined
  readonly history: History
  readonly storing: () => Storing
  /** Where requests are told of, and where that is kept. */
  readonly logQueue: LogQueue
  readonly logBook: LogBook
  readonly jobs: Jobs
  readonly backups: Backups
  /** Starts the hub anew once everything is answered. */
  readonly restart: () => void
  readonly agents: Agents
  /** The agents that were built beside this hub. */
  readonly agentFiles: AgentFiles
  /** Whether people may see logs and configuration of containers at all. */
  readonly containerDetails: boolean
  /** Whether who is no admin may try addresses of internal networks. */
  readonly internalDestinations: boolean
  /** The hub's key as agents are told it: `ssh-ed25519 AAAA…`. */
  readonly publicKey: string
  /** Answers every GET that is no API; undefined when no dashboard was built. */
  readonly dashboard: ((context: Context) => Promise<Response>) | undefined
  readonly arrivals: Arrivals
  readonly log: Log
}

/** Everything the hub answers. */
export function routes({
  engine,
  access,
  accounts,
  attempts,
  requests,
  realtime,
  firstRun,
  universalTokens,
  heartbeat,
  history,
  storing,
  logBook,
  jobs,
  backups,
  restart,
  agents,
  agentFiles,
  containerDetails,
  internalDestinations,
  publicKey,
  arrivals,
  log,
}: HttpParts): readonly Hono<Signed>[] {
  const { auth, settings } = accounts
  const hub = hubSideOf(engine.secrets)
  return [
    healthRoute(engine.database),
    apiDescriptionRoute(engine.collections),
    firstRunRoute({ firstRun, attempts }),
    hubInfoRoute(publicKey),
    hubHealthRoute({ database: engine.database, clock: engine.clock, untrustedForwarding: arrivals.untrustedForwarding }),
    authRoute(engine, accounts, log),
    providersRoute({ engine, accounts, attempts, realtime, log }),
    oneTimeCodesRoute({ engine, accounts, attempts, requests }),
    oldAdminsRoute({ engine, auth, firstRun, attempts }),
    accountRoute({ engine, accounts, attempts }),
    ownSettingsRoute(engine),
    authByMailRoute({ engine, accounts, attempts, requests, log }),
    recordsRoute(engine),
    batchRoute(engine, settings),
    userAlertsRoute(engine),
    universalTokenRoute(universalTokens),
    testNotificationRoute({ hub, clock: engine.clock, internalDestinations }),
    heartbeatRoute(heartbeat),
    configYamlRoute(engine.store),
    settingsRoute(engine.clock, accounts, arrivals.namesProxies),
    auditRoute(engine.database),
    logsRoute({ engine, book: logBook }),
    logSearchRoute({ engine, book: logBook }, auth),
    jobsRoute(engine, jobs),
    signInWaysRoute(engine, accounts),
    providerTestRoute(accounts),
    backupsRoute({ backups, auth, attempts, engine, limits: arrivals.connections.limits, restart }),
    backOfficeRoute(engine),
    realtimeRoute(realtime, arrivals.connections),
    agentConnectRoute(agents),
    agentFilesRoute(agentFiles),
    agentAnswersRoute({ access, agents, records: engine.store, containerDetails }),
    agentCareRoute({ access, agents, engine }),
    historyRoute({ access, history, clock: engine.clock }),
    systemEventsRoute({ access, database: engine.database, clock: engine.clock }),
    alertRehearsalRoute({ access, history, clock: engine.clock }),
    incidentsRoute(engine),
    deliveriesRoute({ database: engine.database, hub }),
    retentionRoute({ database: engine.database, clock: engine.clock }),
    storingRoute(storing),
  ]
}
