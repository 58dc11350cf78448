import type { Context, Hono } from 'hono'
import type { Accounts } from '../accounts/accounts.ts'
import type { Attempts } from '../accounts/attempts.ts'
import type { FirstRun } from '../accounts/first-run.ts'
import type { UniversalTokens } from '../accounts/universal-token.ts'
import type { Backups } from '../operations/backups/backups.ts'
import { hubSideOf } from '../delivery/channels/hub-side.ts'
import type { Agents } from '../fleet/fleet.ts'
import type { AgentFiles } from '../fleet/enrolment/agent-files.ts'
import type { Heartbeat } from '../operations/heartbeat/heartbeat.ts'
import type { Jobs } from '../operations/jobs/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { LogBook } from '../operations/logs/log-book.ts'
import type { LogQueue } from '../operations/logs/log-queue.ts'
import type { History } from '../history/model/history.ts'
import type { Storing } from '../samples/storing.ts'
import type { Access } from '../records/engine/access.ts'
import type { Engine } from '../records/engine/engine.ts'
import type { Realtime } from '../records/realtime/realtime.ts'
import type { Arrivals } from './connections/arrivals.ts'
import { accountRoute } from '../accounts/routes/account.ts'
import { agentAnswersRoute } from '../fleet/routes/agent-answers.ts'
import { agentCareRoute } from '../fleet/routes/agent-care.ts'
import { agentConnectRoute } from '../fleet/routes/agent-connect.ts'
import { agentFilesRoute } from '../fleet/routes/agent-files.ts'
import { alertRehearsalRoute } from '../alerts/routes/alert-rehearsal.ts'
import { apiDescriptionRoute } from './description/api-description-route.ts'
import { auditRoute } from '../operations/routes/audit.ts'
import { authRoute } from '../accounts/routes/auth.ts'
import { authByMailRoute } from '../accounts/routes/auth-by-mail.ts'
import { backOfficeRoute } from '../operations/routes/back-office.ts'
import { backupsRoute } from '../operations/routes/backups.ts'
import { batchRoute } from '../records/routes/batch.ts'
import { configYamlRoute } from '../fleet/routes/config-yaml.ts'
import { firstRunRoute } from '../accounts/routes/first-run.ts'
import { healthRoute } from '../operations/routes/health.ts'
import { heartbeatRoute } from '../operations/routes/heartbeat.ts'
import { historyRoute } from '../history/routes/history.ts'
import { hubHealthRoute } from '../operations/routes/hub-health.ts'
import { hubInfoRoute } from '../operations/routes/hub-info.ts'
import { deliveriesRoute } from '../alerts/routes/deliveries.ts'
import { incidentsRoute } from '../alerts/routes/incidents.ts'
import { jobsRoute } from '../operations/routes/jobs.ts'
import { logSearchRoute } from '../operations/routes/log-search.ts'
import { logsRoute } from '../operations/routes/logs.ts'
import { oldAdminsRoute } from '../accounts/routes/old-admins.ts'
import { oneTimeCodesRoute } from '../accounts/routes/one-time-codes.ts'
import { ownSettingsRoute } from '../accounts/routes/own-settings.ts'
import { providerTestRoute } from '../accounts/routes/provider-test.ts'
import { providersRoute } from '../accounts/routes/providers.ts'
import { realtimeRoute } from '../records/routes/realtime.ts'
import { recordsRoute } from '../records/routes/records.ts'
import { retentionRoute } from '../history/routes/retention.ts'
import { settingsRoute } from '../settings/routes/settings.ts'
import { signInWaysRoute } from '../settings/routes/sign-in-ways.ts'
import { storingRoute } from '../samples/routes/storing.ts'
import { systemEventsRoute } from '../operations/routes/system-events.ts'
import { testNotificationRoute } from '../alerts/routes/test-notification.ts'
import { universalTokenRoute } from '../accounts/routes/universal-token.ts'
import { userAlertsRoute } from '../alerts/routes/user-alerts.ts'
import type { Signed } from './requests/signed.ts'

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
