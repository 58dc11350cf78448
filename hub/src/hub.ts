import { join } from 'node:path'
import { watchAlerts } from './alerts/rules/alert-watch.ts'
import { decideDueAlerts } from './alerts/rules/due-alerts.ts'
import { openAccounts } from './accounts/accounts.ts'
import { signInAttempts } from './accounts/attempts.ts'
import { firstRunOf, type FirstRun } from './accounts/first-run.ts'
import { serveProviderSignIn } from './accounts/routes/providers.ts'
import { universalTokensOf } from './accounts/universal-token.ts'
import { clearUnfinished } from './operations/backups/backup-folder.ts'
import { backupsOf, type BackupParts, type Backups } from './operations/backups/backups.ts'
import { HealthUnproved, proveHealth } from './operations/backups/prove-health.ts'
import { finishRestore, isRestoreUnproved, takeBack } from './operations/backups/pending-restore.ts'
import { hubSideOf } from './delivery/channels/hub-side.ts'
import type { HubConfig } from './startup/config.ts'
import { systemClock, type Clock } from './platform/clock.ts'
import { DatabaseUnusableError } from './platform/db/database.ts'
import { AGENT_CONNECT_PATH, startFleet } from './fleet/fleet.ts'
import { HubKeyUnusable } from './fleet/ssh/hub-key.ts'

import { agentFilesIn } from './fleet/enrolment/agent-files.ts'
import { watchHealth } from './operations/health/watch-health.ts'
import { startHeartbeat, type Heartbeat } from './operations/heartbeat/heartbeat.ts'
import { httpApp, type AppParts } from './http/app.ts'
import { hubRoutes, type HubRouteParts } from './startup/hub-routes.ts'
import { openRequestAdmission } from './http/requests/request-admission.ts'
import { readDashboard } from './http/dashboard-files.ts'
import { AddressUnusableError, probeAddress, serve } from './platform/http/server.ts'
import { serveDashboard } from './http/static.ts'
import { startHistoryUpkeep } from './operations/jobs/history-upkeep.ts'
import { hubJobs } from './startup/hub-jobs.ts'
import { startJobs } from './operations/jobs/jobs.ts'
import type { RepeatedJob } from './operations/jobs/repeated-job.ts'
import type { LogOf } from './platform/log.ts'
import { serveLogTail } from './operations/logs/log-tail.ts'
import type { History } from './history/model/history.ts'
import { samplePipeline } from './samples/sample-pipeline.ts'
import { serveStoring } from './samples/storing-state.ts'
import { serveHistoryTail } from './history/read/live-tail.ts'
import { pushedRollUps } from './history/read/pushed-roll-ups.ts'
import { startNotifier } from './alerts/notifications/notifier.ts'
import { accessOf } from './records/engine/access.ts'
import { startRealtime } from './records/realtime/realtime.ts'
import { importSystems, SystemFileUnusableError } from './fleet/enrolment/import-systems.ts'
import { readSystemFile } from './fleet/enrolment/read-system-file.ts'
import { SecretsUnusableError } from './platform/secrets/open-secrets.ts'
import { noteHubLife } from './operations/system-events/hub-life.ts'
import { DataDirectoryUnusableError } from './startup/data-directory.ts'
import { readLocalToken } from './startup/local-token.ts'
import { openStores, type OpenParts } from './startup/open-stores.ts'

export type Hub = {
  /** `http://HOST:PORT`. */
  readonly address: string
  readonly port: number
  /** What the first admin needs from another machine; undefined when there is somebody already. */
  readonly setupCode: string | undefined
  /** Resolves when the hub wants to be closed and started anew: a backup is ready to be restored. */
  readonly restartWanted: Promise<void>
  readonly close: () => Promise<void>
}

/** Why the hub cannot start, in one sentence for the operator. */
export class UnusableError extends Error {
  override readonly name = 'UnusableError'
}

const WEB_ROOT = join(import.meta.dirname, '..', '..', 'web', 'dist')
const AGENT_ROOT = join(import.meta.dirname, '..', '..', 'agent')

/** Starts everything the hub is, in this process. Throws {@link UnusableError}; then nothing is left open. */
export async function startHub(config: HubConfig, logOf: LogOf, clock: Clock = systemClock): Promise<Hub> {
  const start = () => tryToStart(config, logOf, clock)
  // What was restored may be what cannot be started on: then once more, on what was there before.
  return (await start()) ?? (await start()) ?? Promise.reject(new UnusableError('Cannot start the hub'))
}

/** Whether there was a restore to undo, and it is undone. */
async function goBack({ dataDirectory, databaseUrl }: HubConfig, logOf: LogOf): Promise<boolean> {
  try {
    return await takeBack(dataDirectory, databaseUrl?.reveal())
  } catch (error) {
    logOf('backups').error('the restore cannot be undone now', { error })
    return false
  }
}

/** Undefined when a restore was taken back. */
async function tryToStart(config: HubConfig, logOf: LogOf, clock: Clock): Promise<Hub | undefined> {
  await using stack = new AsyncDisposableStack()
  const { dataDirectory: directory, databaseUrl } = config
  try {
    const hub = await compose({ config, plainLog: logOf, clock, stack })
    if (isRestoreUnproved(directory)) await proveHealth(`${hub.address}${basePathOf(config.appUrl)}`)
    const opened = stack.move()
    // The next start removes what cannot be removed now.
    await finishRestore(directory, databaseUrl?.reveal()).catch((error: unknown) =>
      logOf('backups').error('the data from before the restore are not removed yet', { error }),
    )
    return { ...hub, close: () => opened.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    const wentBack = isOfData(error) && (await goBack(config, logOf))
    if (wentBack) {
      logOf('backups').error('the restored backup cannot be used; everything is as it was before', { error })
      return undefined
    }
    throw isForPeople(error) ? new UnusableError(error.message, { cause: error }) : error
  }
}

async function compose({ config, stack, ...given }: OpenParts): Promise<Omit<Hub, 'close'>> {
  await probeAddress(config.listen)
  const { directory, database, bus, clock, secrets, key, store, history, sources, engine, logs, logOf, logQueue, logBook } =
    await openStores({ config, stack, ...given })
  stack.use(await noteHubLife({ database, clock, keptFromMs: (await history.keptFrom())['2h'] }))
  const firstRun = firstRunOf(engine)
  await createFirstAdmin(config, firstRun)

  const systemFile = readSystemFile(join(directory, 'config.yml'))
  if (systemFile !== undefined) await importSystems(engine, systemFile, logOf('config.yml'))
  const heartbeat =
    config.heartbeat === undefined
      ? undefined
      : startHeartbeat({ target: config.heartbeat, records: store, clock, log: logOf('heartbeat') })
  stack.defer(() => heartbeat?.close())

  const universalTokens = universalTokensOf({ database, records: store, clock })
  const alerts = stack.adopt(await watchAlerts({ engine, history, bus, log: logOf('alerts') }), ({ close }) => close())
  const samples = stack.use(samplePipeline({ db: database, records: store, history, clock, bus, alerts, log: logOf('samples') }))
  const fleet = stack.adopt(
    await startFleet({
      db: database,
      records: store,
      secrets,
      borrower: universalTokens.borrower,
      bus,
      samples,
      alerts,
      key,
      clock,
      log: logOf,
      readLocalToken: () => readLocalToken(config.enrollTokenFile),
    }),
    (one) => one.close(),
  )

  stack.use(decideDueAlerts({ database, watch: alerts, log: logOf('alerts'), settlingMs: fleet.settlingMs }))
  await clearUnfinished(directory)
  const backups = stack.use(openBackups(config, { database, secrets, clock, log: logOf('backups') }))
  const { promise: restartWanted, resolve: restart } = Promise.withResolvers<void>()

  const realtime = stack.adopt(startRealtime(engine, bus, logOf('realtime')), ({ close }) => close())
  const access = accessOf(engine)
  stack.defer(fleet.serveLive({ realtime, access }))
  serveProviderSignIn(realtime)
  stack.defer(serveStoring(realtime, samples.storing))
  stack.defer(serveLogTail(realtime, logBook))
  stack.defer(serveHistoryTail({ realtime, access, bus }))
  const attempts = signInAttempts(clock)
  const accounts = stack.adopt(
    await openAccounts({
      engine,
      attempts,
      appUrl: config.appUrl,
      overrides: config.signIn,
      createUsers: config.createUsers,
      log: logOf('accounts'),
    }),
    ({ close }) => close(),
  )
  accounts.sessions.onEnd(realtime.endSessions)
  const { settings } = accounts
  const { appUrl, internalDestinations } = config
  const hubSide = hubSideOf(secrets)
  const told = { engine, settings, bus, hub: hubSide, appUrl, internalDestinations, log: logOf('notifications') }
  stack.adopt(startNotifier(told), ({ close }) => close())
  const does = hubJobs({ engine, settings: settings.load, backups, logs: logs.database })
  const systemIds = () => store.loadIds('systems')
  const pushRollUps = pushedRollUps({ bus, sources, systems: systemIds, clock })
  const upkeep = stack.use(startHistoryUpkeep({ history, pushRollUps, clock, log: logOf('history') }))
  const jobs = stack.use(await startJobs({ jobs: does, repeated: repeatedJobsOf(upkeep, heartbeat), database, clock, log: logOf('jobs') }))
  const basePath = basePathOf(config.appUrl)
  const admission = await openRequestAdmission({ namedProxies: config.trustedProxies, settings, clock, log: logOf('http') })
  const waiting = () => ({ samples: samples.waiting(), logs: logQueue.waiting() })
  stack.use(watchHealth({ database, clock, log: logOf('health'), agents: fleet.connected, waiting }))
  const dashboard = readDashboard(config.webRoot ?? WEB_ROOT, basePath)
  if (dashboard === undefined) logOf('http').warn('there is no dashboard to serve', { folder: config.webRoot ?? WEB_ROOT })
  const routeParts: HubRouteParts & AppParts = {
    engine,
    access,
    accounts,
    attempts,
    requests: signInAttempts(clock),
    realtime,
    firstRun,
    universalTokens,
    heartbeat,
    history,
    storing: samples.storing.now,
    logQueue,
    logBook,
    jobs,
    backups,
    restart,
    agents: fleet,
    agentFiles: agentFilesIn({ root: config.agentRoot ?? AGENT_ROOT, image: config.agentImage, log: logOf('http') }),
    containerDetails: config.containerDetails,
    hubSide,
    internalDestinations: config.internalDestinations,
    publicKey: key.publicLine,
    dashboard: dashboard === undefined ? undefined : serveDashboard(dashboard),
    admission,
    log: logOf('http'),
  }
  const app = httpApp(hubRoutes, routeParts)
  const server = stack.adopt(await serve(app, config.listen, { basePath, connections: admission.connections }), ({ close }) => close())

  // Before the server, which waits for what is open.
  stack.defer(() => realtime.close())
  stack.defer(() => fleet.close())

  server.onUpgrade(AGENT_CONNECT_PATH, (request, socket, head) => {
    const remoteAddress = admission.addressOf(request)
    fleet.onUpgrade({ request, socket, head, remoteAddress, slot: admission.connections.onUpgrade(request) })
  })
  forgetDeleted(history, systemIds).catch((error: unknown) => logOf('history').error('deleted systems not forgotten', { error }))
  return {
    address: server.address,
    port: server.port,
    restartWanted,
    setupCode: (await firstRun.isOpen()) ? firstRun.setupCode : undefined,
  }
}

const repeatedJobsOf = (upkeep: RepeatedJob, heartbeat: Heartbeat | undefined): readonly RepeatedJob[] =>
  heartbeat === undefined ? [upkeep] : [upkeep, heartbeat.repeated]

function openBackups(config: HubConfig, parts: Pick<BackupParts, 'database' | 'secrets' | 'clock' | 'log'>): Backups {
  const { dataDirectory: directory, databaseUrl, secretKey } = config
  return backupsOf({ ...parts, directory, databaseUrl: databaseUrl?.reveal(), isKeyConfigured: secretKey !== undefined })
}

async function createFirstAdmin({ firstAdmin }: HubConfig, firstRun: FirstRun): Promise<void> {
  if (firstAdmin === undefined || !(await firstRun.isOpen())) return
  await firstRun.createAdmin({ email: firstAdmin.email, password: firstAdmin.password.reveal(), setupCode: 'not needed' })
}

/** What was deleted when the hub was killed before it could forget it. */
async function forgetDeleted(history: History, systemIds: () => Promise<readonly string[]>): Promise<void> {
  const remembered = await history.systems()
  const alive = new Set(await systemIds())
  for (const id of remembered) if (!alive.has(id)) await history.forget(id)
}

/** The path of the address that people use, `''` for none. */
function basePathOf(appUrl: string | undefined): string {
  return appUrl === undefined ? '' : new URL(appUrl).pathname.replace(/\/$/, '')
}

const ofData = [
  DatabaseUnusableError,
  HealthUnproved,
  DataDirectoryUnusableError,
  HubKeyUnusable,
  SecretsUnusableError,
  SystemFileUnusableError,
]
const isOfData = (error: unknown): boolean => ofData.some((kind) => error instanceof kind)

function isForPeople(error: unknown): error is Error {
  return error instanceof AddressUnusableError || isOfData(error)
}
