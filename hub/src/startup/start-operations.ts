import { pushedRollUps } from '../history/read/pushed-roll-ups.ts'
import { removeAbandonedWork } from '../operations/backups/backup-workplace.ts'
import { backupsOf } from '../operations/backups/backups.ts'
import { hubListOf } from '../operations/health/hub-list.ts'
import { watchHealth } from '../operations/health/watch-health.ts'
import { importsOf } from '../operations/transfer/imports.ts'
import { openOwnTarget } from '../operations/transfer/own-target.ts'
import { startHeartbeat } from '../operations/heartbeat/heartbeat.ts'
import { startHistoryUpkeep } from '../operations/jobs/history-upkeep.ts'
import { startJobs } from '../operations/jobs/jobs.ts'
import { importWorkplace } from '../operations/transfer/source/foreign-place.ts'
import { startReturningMemory } from '../platform/process/free-memory.ts'
import { startLoop } from '../platform/loop.ts'
import { addressOf } from './options/database-options.ts'
import { releaseWhenDrained } from './hubs/release-when-drained.ts'
import { hubJobs } from './hub-jobs.ts'
import type { OpenParts, Stores } from './open-stores.ts'
import type { Monitoring } from './start-monitoring.ts'
import type { People } from './start-people.ts'

/**
 * Starts the hub's own operations and resolves to their services: heartbeat, backups, jobs, maintenance of the history, health
 * measurements.
 */
export async function startOperations(
  { config, stack }: Pick<OpenParts, 'config' | 'stack'>,
  stores: Stores,
  { fleet, samples, accounts }: Monitoring & People,
) {
  const { directory, backupPlace, database, cluster, duties, bus, clock, secrets, store, history, sources, engine, logs, logQueue, logOf } =
    stores
  const heartbeat = config.heartbeat && startHeartbeat({ target: config.heartbeat, records: store, duties, clock, log: logOf('heartbeat') })
  stack.defer(() => heartbeat?.close())
  await removeAbandonedWork(backupPlace.unfinished)
  // A killed import leaves a copy of another hub's database, with its secrets.
  await removeAbandonedWork(importWorkplace(directory))
  const backups = stack.use(
    backupsOf({
      database,
      secrets,
      clock,
      directory,
      place: backupPlace,
      hub: config.hubName,
      log: logOf('backups'),
      databaseUrl: config.database?.url.reveal(),
      isKeyConfigured: config.secretKey !== undefined,
    }),
  )
  const at = config.database === undefined ? { directory } : addressOf(config.database)
  const openTarget = () => openOwnTarget({ at, secrets, clock, log: logOf('import') })
  const imports = stack.use(importsOf({ directory, openTarget, log: logOf('import') }))
  const systemIds = () => store.loadIds('systems')
  const pushRollUps = pushedRollUps({ bus, sources, systems: systemIds, clock })
  const upkeep = stack.use(startHistoryUpkeep({ history, pushRollUps, duties, clock, log: logOf('history') }))
  const jobs = stack.use(
    await startJobs({
      jobs: hubJobs({ engine, settings: accounts.settings.load, backups, logs: logs.database }),
      repeated: heartbeat === undefined ? [upkeep] : [upkeep, heartbeat.repeated],
      duties,
      database,
      clock,
      log: logOf('jobs'),
    }),
  )
  const hub = cluster?.messages === undefined ? undefined : cluster.membership.id
  const waiting = () => ({ samples: samples.waiting(), logs: logQueue.waiting() })
  stack.use(watchHealth({ database, duties, hub, clock, log: logOf('health'), agents: fleet.connected, waiting }))
  stack.use(
    startLoop({
      work: (signal) => removeDeleted(stores, signal),
      onError: (error) => logOf('history').error('history of deleted systems not removed', { error }),
    }),
  )
  stack.use(startReturningMemory((error) => logOf('health').error('free memory not returned to the system', { error })))
  const hubList = hubListOf(database, cluster?.membership)
  if (cluster !== undefined) stack.defer(releaseWhenDrained({ membership: cluster.membership, hubList, fleet }))
  return { heartbeat, backups, imports, jobs, hubList }
}

/**
 * Deletes the history of systems that no longer exist. It runs at the start, because the hub may have been killed just after it deleted a
 * system.
 */
async function removeDeleted({ history, store }: Stores, signal: AbortSignal): Promise<undefined> {
  const stored = await history.systems()
  const existing = new Set(await store.loadIds('systems'))
  for (const id of stored) if (!existing.has(id) && !signal.aborted) await history.forget(id)
}
