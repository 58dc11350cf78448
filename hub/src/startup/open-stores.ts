import { afterRestore } from './after-restore.ts'
import { hashPassword } from '../accounts/passwords/password.ts'
import { BackupRefusedError } from '../operations/backups/archive/backup-error.ts'
import { openSharedBackups, ownBackupPlace, type BackupPlace } from '../operations/backups/backup-place.ts'
import { copyBeforeUpgrade } from '../operations/backups/copy-before-upgrade.ts'
import { carryOutRestore, type ReadyRestore } from '../operations/backups/pending-restore.ts'
import type { Clock } from '../platform/clock.ts'
import { collections } from '../records/collections/collections.ts'
import type { HubConfig } from './config.ts'
import { addressOf } from './options/database-options.ts'
import { newHubId } from '../platform/cluster/membership.ts'
import { joinCluster, type Cluster } from './hubs/cluster.ts'
import type { BeforeUpgrade, Database } from '../platform/db/database.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import { inProcessEventBus, type EventBus } from '../platform/events/event-bus.ts'
import { readHubKey, readSharedHubKey, type HubKey } from '../fleet/ssh/hub-key.ts'
import { historyStore } from '../history/history-store.ts'
import type { History } from '../history/model/history.ts'
import { statsRecords } from '../history/read/stats-records.ts'
import type { LogOf } from '../platform/log.ts'
import { storedLog, openLogQueue, type LogQueue } from '../operations/logs/log-queue.ts'
import { openLogBook, type LogBook } from '../operations/logs/log-book.ts'
import { openLogDatabase, type LogDatabase } from '../operations/logs/log-database.ts'
import type { Engine } from '../records/engine/engine.ts'
import { recordTableStore } from '../records/engine/record-table-store.ts'
import { openSecrets } from '../platform/secrets/open-secrets.ts'
import type { SecretBox } from '../platform/secrets/secret-box.ts'
import { retentionSettings } from '../settings/retention-settings.ts'
import { settingsOf } from '../settings/settings.ts'
import { followCommands } from './hubs/command-changes.ts'
import { journalOf, openClusterState, type ClusterState } from './hubs/cluster-state.ts'
import { admitDatabase, joinDatabase, takeDataDirectory } from './data-directory.ts'
import { logSettings } from './log-settings.ts'

/**
 * All data stores and shared services of a running hub, such as database, history and records. It has also the event bus on which changes
 * of records are published.
 */
export type Stores = ClusterState & {
  readonly directory: string
  readonly backupPlace: BackupPlace
  readonly clock: Clock
  readonly bus: EventBus
  readonly database: Database
  /** Connection of this hub to the other hubs of its PostgreSQL database, with its membership among them. `undefined` on SQLite. */
  readonly cluster: Cluster | undefined
  readonly secrets: SecretBox
  readonly key: HubKey
  readonly logs: LogDatabase
  readonly logQueue: LogQueue
  readonly logBook: LogBook
  /**
   * Factory of loggers: returns the logger of an area of the hub, by its name, such as `db`. Entries are also stored in the log that admins
   * read.
   */
  readonly logOf: LogOf
  readonly store: Engine['store']
  readonly history: History
  /**
   * Map from the name of a collection that has no table to the functions that load its records. These records are built from the history,
   * such as those of `system_stats`.
   */
  readonly sources: Engine['sources']
  readonly engine: Engine
}

export type OpenParts = {
  readonly config: HubConfig
  readonly plainLog: LogOf
  readonly clock: Clock
  /**
   * Stack of disposables to which the hub adds everything that it opens, such as stores and background loops. Disposing the stack closes
   * them in reverse order.
   */
  readonly stack: AsyncDisposableStack
}

/**
 * Locks the data directory, runs a pending restore, and opens the database, logs, history and records. Resolves to these stores. They are
 * added to `stack`, which closes them when it is disposed.
 */
export async function openStores({ config, plainLog, clock, stack }: OpenParts): Promise<Stores> {
  const logQueue = openLogQueue(config.nats === undefined ? undefined : config.hubName)
  const logOf = storedLog(plainLog, logQueue, clock)
  const directory = config.dataDirectory
  const hub = newHubId()
  const { endedHub } = stack.adopt(takeDataDirectory(directory, hub), ({ release }) => release())
  const restored = await restorePending(config, logOf)
  const bus = inProcessEventBus()
  const at = config.database === undefined ? { directory } : addressOf(config.database)
  const journal = config.nats === undefined ? undefined : journalOf(hub)
  const isShared = config.nats !== undefined
  const beforeUpgrade = config.upgradeWithoutBackup ? undefined : copyBefore(config, clock, logOf)
  const admit = admitDatabase(directory)
  const opening = openDatabase({ at, bus, log: logOf('db'), journal: journal?.store, isShared, admit, beforeUpgrade })
  const database = stack.adopt(await opening, ({ close }) => close())
  const instance = await joinDatabase(directory, database)
  const backupPlace = await backupPlaceOf(config, instance)
  const cluster = await joinCluster({ config, database, clock, log: logOf('hubs'), stack, id: hub, endedHub })
  const secrets = await openSecrets({ directory, configured: config.secretKey?.reveal(), database })
  const messages = cluster?.messages
  const shared = await openClusterState({ database, secrets, bus, clock, logOf, stack, hub, messages, journal })
  stack.use(await followCommands({ database, bus, secrets, log: logOf('commands') }))
  const key = messages !== undefined ? await readSharedHubKey({ directory, database, secrets }) : readHubKey(directory)
  const logs = stack.use(await openLogDatabase(database, directory, bus, logOf('db')))
  const ofLog = logSettings(settingsOf(database, secrets), bus)
  const logBook = stack.use(openLogBook({ queue: logQueue, database: logs.database, settings: ofLog, clock, log: plainLog('logs') }))

  const store = recordTableStore({ database, collections, secrets, clock })
  if (restored !== undefined) await afterRestore({ database, store, clock }, restored)
  const retention = retentionSettings(database).load
  const history = historyStore({ db: database, clock, bus, log: logOf('history'), retention, isShared })
  const sources = new Map([
    ['system_stats', statsRecords(history, 'system', clock)],
    ['container_stats', statsRecords(history, 'containers', clock)],
  ])
  const engine: Engine = { database, collections, store, sources, secrets, clock, hashPassword }
  return {
    ...shared,
    directory,
    backupPlace,
    clock,
    bus,
    database,
    cluster,
    secrets,
    key,
    logs,
    logQueue,
    logBook,
    logOf,
    store,
    history,
    sources,
    engine,
  }
}

const backupPlaceOf = async ({ backupFolder, dataDirectory: directory }: HubConfig, instance: string): Promise<BackupPlace> =>
  backupFolder === undefined ? ownBackupPlace(directory) : openSharedBackups({ folder: backupFolder, directory, instance })

const copyBefore = (config: HubConfig, clock: Clock, logOf: LogOf): BeforeUpgrade =>
  copyBeforeUpgrade({
    directory: config.dataDirectory,
    placeOf: (instance) => backupPlaceOf(config, instance),
    databaseUrl: config.database?.url.reveal(),
    secretKey: config.secretKey?.reveal(),
    clock,
    log: logOf('backups'),
  })

/**
 * Restores a backup if a restore is pending, before any store is opened. Resolves to the name and time of the backup and who requested it;
 * `undefined` when nothing was restored. After a BackupRefusedError the hub starts on its old data; any other error is rethrown.
 */
async function restorePending({ dataDirectory, database, hubName }: HubConfig, logOf: LogOf): Promise<ReadyRestore | undefined> {
  const log = logOf('backups')
  try {
    const restored = await carryOutRestore(dataDirectory, database?.url.reveal(), hubName)
    if (restored !== undefined)
      log.warn('a backup was restored', { name: restored.name, madeAt: new Date(restored.madeAtMs).toISOString() })
    return restored
  } catch (error) {
    if (!(error instanceof BackupRefusedError)) throw error
    log.error('the backup was not restored, nothing has changed', { error })
    return undefined
  }
}
