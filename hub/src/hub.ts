import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { watchAlerts } from './alerts/alert-watch.ts'
import { decideDueAlerts } from './alerts/due-alerts.ts'
import { openAccounts } from './auth/accounts.ts'
import { afterRestore } from './auth/after-restore.ts'
import { signInAttempts } from './auth/attempts.ts'
import { firstRunOf, type FirstRun } from './auth/first-run.ts'
import { hashPassword } from './auth/password.ts'
import { universalTokensOf, withLentTokens } from './auth/universal-token.ts'
import { BackupRefusedError } from './backups/backup-error.ts'
import { clearUnfinished } from './backups/backup-folder.ts'
import { backupsOf, type BackupParts, type Backups } from './backups/backups.ts'
import { carryOutRestore, finishRestore, takeBack, type ReadyRestore } from './backups/pending-restore.ts'
import { hubSideOf } from './channels/hub-side.ts'
import { systemClock } from './clock.ts'
import { collections } from './collections/collections.ts'
import type { HubConfig } from './config.ts'
import { DatabaseUnusableError } from './db/database.ts'
import { openDatabase } from './db/open-database.ts'
import { inProcessEventBus } from './events/event-bus.ts'
import { AGENT_CONNECT_PATH, startFleet } from './fleet/fleet.ts'
import { HubKeyUnusable, readHubKey } from './fleet/hub-key.ts'
import { agentFilesIn } from './handout/agent-files.ts'
import { watchHealth } from './health/watch-health.ts'
import { startHeartbeat } from './heartbeat/heartbeat.ts'
import { httpApp } from './http/app.ts'
import { openArrivals } from './http/arrivals.ts'
import { clientAddress } from './http/client-address.ts'
import { readDashboard } from './http/dashboard-files.ts'
import { AddressUnusableError, probeAddress, serve } from './http/server.ts'
import { serveDashboard } from './http/static.ts'
import { hubJobs } from './jobs/hub-jobs.ts'
import { startJobs } from './jobs/jobs.ts'
import type { LogOf } from './log.ts'
import { keptLog } from './logs/kept-log.ts'
import { openLogBook } from './logs/log-book.ts'
import { openLogDatabase } from './logs/log-database.ts'
import { openLogQueue } from './logs/log-queue.ts'
import { serveLogTail } from './logs/log-tail.ts'
import { historyStore } from './history/history-store.ts'
import type { History } from './history/history.ts'
import { ingestInto } from './metrics/ingest.ts'
import { pausableIngest, serveStoring } from './metrics/storing.ts'
import { serveHistoryTail } from './history/live-tail.ts'
import { pushedRollUps } from './history/pushed-roll-ups.ts'
import { statsRecords } from './history/stats-records.ts'
import { startNotifier } from './notifications/notifier.ts'
import { accessOf } from './records/access.ts'
import type { Engine } from './records/engine.ts'
import { startRealtime } from './records/realtime.ts'
import { recordTableStore } from './records/record-table-store.ts'
import { importSystems, SystemFileUnusableError } from './system-file/import-systems.ts'
import { settingsOf } from './settings/settings.ts'
import { retentionSettings } from './settings/retention-settings.ts'
import { openSecrets, SecretsUnusableError } from './secrets/open-secrets.ts'
import { noteHubLife } from './system-events/hub-life.ts'
import { admitDatabase, DataDirectoryUnusableError, joinDatabase, takeDataDirectory } from './startup/data-directory.ts'

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
const MAINTAIN_EVERY_MS = 5_000

/** Starts everything the hub is, in this process. Throws {@link UnusableError}; then nothing is left open. */
export async function startHub(config: HubConfig, logOf: LogOf): Promise<Hub> {
  // What was restored may be what cannot be started on: then once more, on what was there before.
  return (await tryToStart(config, logOf)) ?? (await tryToStart(config, logOf)) ?? Promise.reject(new UnusableError('Cannot start the hub'))
}

/** Undefined when a restore was taken back. */
async function tryToStart(config: HubConfig, logOf: LogOf): Promise<Hub | undefined> {
  await using stack = new AsyncDisposableStack()
  try {
    const hub = await compose(config, logOf, stack)
    const opened = stack.move()
    finishRestore(config.dataDirectory)
    return { ...hub, close: () => opened.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    if (isOfData(error) && takeBack(config.dataDirectory)) {
      logOf('backups').error('the restored backup cannot be used; everything is as it was before', { error })
      return undefined
    }
    throw isForPeople(error) ? new UnusableError(error.message, { cause: error }) : error
  }
}

async function compose(config: HubConfig, plainLog: LogOf, stack: AsyncDisposableStack): Promise<Omit<Hub, 'close'>> {
  const logQueue = openLogQueue()
  const logOf = keptLog(plainLog, logQueue, systemClock)
  await probeAddress(config.listen)
  const directory = config.dataDirectory
  stack.adopt(takeDataDirectory(directory), ({ release }) => release())
  const restored = await restorePending(config, logOf)
  const clock = systemClock
  const bus = inProcessEventBus()
  const at = config.databaseUrl === undefined ? { directory } : { url: config.databaseUrl.reveal() }
  const database = stack.adopt(await openDatabase({ at, bus, log: logOf('db'), admit: admitDatabase(directory) }), ({ close }) => close())
  await joinDatabase(directory, database)
  const secrets = await openSecrets({ directory, configured: config.secretKey?.reveal(), database })
  const key = readHubKey(directory)
  const logs = stack.use(await openLogDatabase(database, directory, bus, logOf('db')))
  const logSettings = async () => (await settingsOf(database, secrets).load()).logs
  const logBook = stack.use(openLogBook({ queue: logQueue, database: logs.database, settings: logSettings, clock, log: plainLog('logs') }))

  const store = recordTableStore({ database, collections, secrets, clock })
  if (restored !== undefined) await afterRestore({ database, store, clock }, restored)
  const history = historyStore({ db: database, clock, bus, log: logOf('history'), retention: retentionSettings(database).load })
  const sources = new Map([
    ['system_stats', statsRecords(history, 'system', clock)],
    ['container_stats', statsRecords(history, 'containers', clock)],
  ])
  stack.use(await noteHubLife({ database, clock, keptFromMs: (await history.keptFrom())['2h'] }))
  const engine: Engine = { database, collections, store, sources, secrets, clock, hashPassword }
  const firstRun = firstRunOf(engine)
  await createFirstAdmin(config, firstRun)

  const systemFile = readSmallFile(join(directory, 'config.yml'))
  if (systemFile !== undefined) await importSystems(engine, systemFile, logOf('config.yml'))
  const heartbeat =
    config.heartbeat === undefined
      ? undefined
      : startHeartbeat({ target: config.heartbeat, records: store, clock, log: logOf('heartbeat') })
  stack.defer(() => heartbeat?.close())

  const universalTokens = universalTokensOf({ database, records: store, clock })
  const alerts = stack.adopt(await watchAlerts({ engine, history, bus, log: logOf('alerts') }), ({ close }) => close())
  const direct = stack.adopt(ingestInto({ db: database, records: store, history, clock, bus, alerts }), ({ settled }) => settled())
  const pausable = stack.use(pausableIngest({ ingest: direct, db: database, clock, log: logOf('ingest') }))
  const readLocalToken = (): string | undefined => readToken(config.enrollTokenFile)
  const fleet = stack.adopt(
    await startFleet({
      db: database,
      records: withLentTokens(store, universalTokens),
      bus,
      ingest: pausable.ingest,
      alerts,
      key,
      clock,
      log: logOf,
      readLocalToken,
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
  stack.defer(serveStoring(realtime, pausable))
  stack.defer(serveLogTail(realtime, logBook))
  stack.defer(serveHistoryTail({ realtime, access, history, bus, log: logOf('history') }))
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
  const told = { engine, settings, bus, hub: hubSideOf(secrets), appUrl, internalDestinations, log: logOf('notifications') }
  stack.adopt(startNotifier(told), ({ close }) => close())
  const does = hubJobs({ engine, settings: settings.load, backups, logs: logs.database })
  const jobs = stack.use(await startJobs({ jobs: does, database, clock, log: logOf('jobs') }))
  const basePath = basePathOf(config.appUrl)
  const arrivals = await openArrivals({ namedProxies: config.trustedProxies, settings, clock })
  const waiting = () => ({ samples: direct.waiting(), logs: logQueue.waiting() })
  stack.use(watchHealth({ database, clock, log: logOf('health'), agents: fleet.connected, waiting }))
  const dashboard = readDashboard(config.webRoot ?? WEB_ROOT, basePath)
  if (dashboard === undefined) logOf('http').warn('there is no dashboard to serve', { folder: config.webRoot ?? WEB_ROOT })
  const app = httpApp({
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
    storing: pausable.storing,
    logQueue,
    logBook,
    jobs,
    backups,
    restart,
    agents: fleet,
    agentFiles: agentFilesIn({ root: config.agentRoot ?? AGENT_ROOT, image: config.agentImage, log: logOf('http') }),
    containerDetails: config.containerDetails,
    internalDestinations: config.internalDestinations,
    publicKey: key.publicLine,
    dashboard: dashboard === undefined ? undefined : serveDashboard(dashboard),
    arrivals,
    log: logOf('http'),
  })
  const server = stack.adopt(await serve(app, config.listen, { basePath }), ({ close }) => close())

  // Before the server, which waits for what is open.
  stack.defer(() => realtime.close())
  stack.defer(() => fleet.close())

  server.onUpgrade(AGENT_CONNECT_PATH, (request, socket, head) =>
    fleet.onUpgrade(request, socket, head, clientAddress(request.socket.remoteAddress ?? '', request.headers, arrivals.proxies())),
  )
  const systemIds = async () => (await store.loadWhere('systems', {})).map(({ id }) => id)
  forgetDeleted(history, systemIds).catch((error: unknown) => logOf('history').error('deleted systems not forgotten', { error }))
  const pushRollUps = pushedRollUps({ bus, sources, systems: systemIds, clock })
  const maintaining = setInterval(() => {
    history.maintain().catch((error: unknown) => logOf('history').error('history not maintained', { error }))
    pushRollUps().catch((error: unknown) => logOf('history').error('roll-ups not told', { error }))
  }, MAINTAIN_EVERY_MS)
  stack.defer(() => clearInterval(maintaining))
  return {
    address: server.address,
    port: server.port,
    restartWanted,
    setupCode: (await firstRun.isOpen()) ? firstRun.setupCode : undefined,
  }
}

function openBackups(config: HubConfig, parts: Pick<BackupParts, 'database' | 'secrets' | 'clock' | 'log'>): Backups {
  const { dataDirectory: directory, databaseUrl, secretKey } = config
  return backupsOf({ ...parts, directory, databaseUrl: databaseUrl?.reveal(), isKeyConfigured: secretKey !== undefined })
}

/** Before anything is opened. One that fails changes nothing, and the hub goes on as it was. */
async function restorePending({ dataDirectory, databaseUrl }: HubConfig, logOf: LogOf): Promise<ReadyRestore | undefined> {
  const log = logOf('backups')
  try {
    const restored = await carryOutRestore(dataDirectory, databaseUrl?.reveal())
    if (restored !== undefined)
      log.warn('a backup was restored', { name: restored.name, madeAt: new Date(restored.madeAtMs).toISOString() })
    return restored
  } catch (error) {
    if (!(error instanceof BackupRefusedError)) throw error
    log.error('the backup was not restored, nothing has changed', { error })
    return undefined
  }
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

/** The token comes and goes with its file; what is not there lets nobody in. */
function readToken(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    const token = readFileSync(file, 'utf8').trim()
    return token === '' ? undefined : token
  } catch {
    return undefined
  }
}

/** A file of at most a megabyte; undefined when there is none. */
function readSmallFile(path: string): string | undefined {
  try {
    if (statSync(path).size <= 1_000_000) return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new SystemFileUnusableError(`Cannot read "${path}": ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  throw new SystemFileUnusableError(`Cannot read "${path}": it is larger than a megabyte`)
}

const ofData = [DatabaseUnusableError, DataDirectoryUnusableError, HubKeyUnusable, SecretsUnusableError, SystemFileUnusableError]
const isOfData = (error: unknown): boolean => ofData.some((kind) => error instanceof kind)

function isForPeople(error: unknown): error is Error {
  return error instanceof AddressUnusableError || isOfData(error)
}
