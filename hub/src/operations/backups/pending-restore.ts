import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { randomId } from '../../platform/secrets/random-id.ts'
import { flush, move, writeDurably } from './durable-files.ts'
import { besideHubs } from './other-hubs.ts'
import { dropEarlierData, livingHubNames, makeRoom, putEarlierDataBack, idOfKeptRestore } from './postgres-before-restore.ts'
import { restorePostgres } from './postgres-programs.ts'

/**
 * Name (`restore`) of the folder in the data directory with the staged files of a restore. The restore is valid once the marker file {@link
 * READY} exists in the folder.
 */
export const STAGE = 'restore'
const READY = 'ready.json'
/**
 * Name (`before-restore`) of the folder in the data directory to which a restore moves the earlier files. It is deleted once a hub passes
 * its health check on the restored data, or after a rollback. On PostgreSQL a schema holds the earlier tables.
 */
const BEFORE = 'before-restore'
const ALL_MOVED = 'all-moved'
const GOING_BACK = 'going-back'
/**
 * Name (`before-restore-over`) that the folder {@link BEFORE} (data from before a restore) gets while it is deleted. A rollback must not
 * use a folder that is half removed.
 */
const BEFORE_DISCARDED = 'before-restore-over'

export const DUMP_FILE = 'database.dump'

/**
 * Names of the files of a data directory that a restore moves away and replaces. They are the SQLite database with its WAL, SSH key,
 * config.yml (list of systems), database id and secret key.
 */
const replaced = ['vedette.sqlite', 'vedette.sqlite-wal', 'vedette.sqlite-shm', 'id_ed25519', 'config.yml', 'instance', 'secret.key']

const readySchema = z.object({
  id: z.string(),
  name: z.string(),
  madeAtMs: z.number(),
  keeps: z.array(z.string()),
  by: z.object({ id: z.string(), email: z.string() }).optional(),
})

/**
 * Staged restore of a backup, which the hub's next start carries out. `keeps` lists files of the data directory that stay, because the
 * backup lacks them. `by` is the user who requested it, absent for the command line.
 */
export type ReadyRestore = Readonly<z.infer<typeof readySchema>>

/**
 * Marks the staged files of a restore in the data directory as complete, by writing the marker file. The hub's next start then restores
 * them, even after a crash.
 */
export function markReady(directory: string, ready: Omit<ReadyRestore, 'id'>): void {
  const stage = join(directory, STAGE)
  writeDurably(join(stage, `${READY}.new`), JSON.stringify({ id: randomId(20), ...ready }))
  flush(stage)
  renameSync(join(stage, `${READY}.new`), join(stage, READY))
  flush(stage)
}

export function isRestorePending(directory: string): boolean {
  return existsSync(join(directory, STAGE, READY)) || existsSync(join(directory, BEFORE, GOING_BACK))
}

/** Returns true when a restore has replaced the data and no hub has passed its health check on the restored data yet. */
export const isRestoreUnconfirmed = (directory: string): boolean => existsSync(join(directory, BEFORE, READY))

/**
 * Carries out a staged restore before the hub opens its data, and resolves to it. `undefined` when none is staged or unconfirmed; an
 * earlier one is returned at each start until {@link finishRestore}. Throws BackupRefusedError when nothing has changed,
 * DatabaseUnusableError when the next start must continue.
 */
export async function carryOutRestore(directory: string, databaseUrl: string | undefined, hub?: string): Promise<ReadyRestore | undefined> {
  await removeOver(directory, databaseUrl)
  if (existsSync(join(directory, BEFORE, GOING_BACK))) await goBack(directory, databaseUrl)
  const stage = join(directory, STAGE)
  const ready = readReady(stage)
  if (ready === undefined) {
    rmSync(stage, { recursive: true, force: true })
    return readReady(join(directory, BEFORE))
  }
  if (databaseUrl !== undefined) await restoreDump(directory, databaseUrl, ready, hub)
  const moving = replaced.filter((name) => !ready.keeps.includes(name))
  moveFilesAside(directory, moving)
  discardUnconfirmed(directory, moving)
  for (const name of moving) move(join(stage, name), join(directory, name))
  flush(directory)
  renameSync(join(stage, READY), join(directory, BEFORE, READY))
  flush(join(directory, BEFORE))
  flush(stage)
  rmSync(stage, { recursive: true, force: true })
  return ready
}

/** Timeout for loading a backup into PostgreSQL, in ms (1 h). The dump of a large hub takes minutes. */
const RESTORE_WITHIN_MS = 3_600_000

async function restoreDump(directory: string, url: string, { id }: ReadyRestore, hub: string | undefined): Promise<void> {
  const stage = join(directory, STAGE)
  const dump = join(stage, DUMP_FILE)
  if (!existsSync(dump)) return
  const kept = await idOfKeptRestore(url)
  if (kept !== id) {
    const others = (await livingHubNames(url)).filter((name) => name !== hub)
    if (others.length > 0) {
      rmSync(join(stage, READY))
      throw besideHubs(others)
    }
    try {
      const room = makeRoom(id, kept !== undefined && isRestoreUnconfirmed(directory))
      await restorePostgres(url, dump, room, { signal: AbortSignal.timeout(RESTORE_WITHIN_MS) })
    } catch (error) {
      // The program may fail after its last statement. This query waits for a transaction that is still ending.
      if ((await idOfKeptRestore(url)) !== id) {
        // The restore is one transaction, so nothing has changed. The next start must not try it again.
        rmSync(join(stage, READY))
        throw error
      }
    }
  }
  rmSync(dump)
}

/** Deletes the data from before a restore. Called after a hub has passed its health check on the restored data. */
export async function finishRestore(directory: string, databaseUrl: string | undefined): Promise<void> {
  if (existsSync(join(directory, BEFORE))) endBefore(directory)
  await removeOver(directory, databaseUrl)
}

/**
 * Puts the data from before a restore back, after the hub could not start on the restored data. Resolves to false when there is no earlier
 * data. Throws DatabaseUnusableError when PostgreSQL cannot be used.
 */
export async function rollBackRestore(directory: string, databaseUrl: string | undefined): Promise<boolean> {
  const before = join(directory, BEFORE)
  if (!existsSync(join(before, ALL_MOVED))) return false
  // Throws if the database is unreachable. That is no reason for a rollback, and none is possible then.
  if (databaseUrl !== undefined) await idOfKeptRestore(databaseUrl)
  writeDurably(join(before, GOING_BACK), '')
  flush(before)
  await goBack(directory, databaseUrl)
  return true
}

function readReady(folder: string): ReadyRestore | undefined {
  const path = join(folder, READY)
  return existsSync(path) ? readySchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}

const namesMoved = (before: string): readonly string[] => {
  const path = join(before, ALL_MOVED)
  return existsSync(path) ? z.array(z.string()).parse(JSON.parse(readFileSync(path, 'utf8'))) : []
}

/**
 * Moves the named files of the data directory to its folder `before-restore`, from which a rollback takes them. A file that an earlier,
 * unconfirmed restore has moved there is not replaced.
 */
function moveFilesAside(directory: string, names: readonly string[]): void {
  const before = join(directory, BEFORE)
  const moved = namesMoved(before)
  const missing = names.filter((name) => !moved.includes(name))
  if (missing.length === 0) return
  mkdirSync(before, { recursive: true, mode: 0o700 })
  for (const name of missing) move(join(directory, name), join(before, name))
  writeDurably(join(before, `${ALL_MOVED}.new`), JSON.stringify([...moved, ...missing]))
  flush(before)
  renameSync(join(before, `${ALL_MOVED}.new`), join(before, ALL_MOVED))
  flush(before)
}

/**
 * Deletes the named files of the data directory if an earlier, unconfirmed restore put them there, because a next restore follows. The
 * files from before that earlier restore stay for a rollback.
 */
function discardUnconfirmed(directory: string, names: readonly string[]): void {
  if (!isRestoreUnconfirmed(directory)) return
  for (const name of names) rmSync(join(directory, name), { force: true })
  flush(directory)
  rmSync(join(directory, BEFORE, READY))
  flush(join(directory, BEFORE))
}

async function goBack(directory: string, databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl !== undefined) await putEarlierDataBack(databaseUrl)
  const before = join(directory, BEFORE)
  const aside = join(before, 'restored')
  mkdirSync(aside, { recursive: true })
  for (const name of namesMoved(before)) {
    // The old file is back already, after an interrupted rollback.
    const isBack = !existsSync(join(before, name)) && existsSync(join(aside, `${name}.done`))
    if (isBack) continue
    move(join(directory, name), join(aside, name))
    writeDurably(join(aside, `${name}.done`), '')
    move(join(before, name), join(directory, name))
  }
  flush(directory)
  endBefore(directory)
  await removeOver(directory, databaseUrl)
}

function endBefore(directory: string): void {
  renameSync(join(directory, BEFORE), join(directory, BEFORE_DISCARDED))
  flush(directory)
}

async function removeOver(directory: string, databaseUrl: string | undefined): Promise<void> {
  if (!existsSync(join(directory, BEFORE_DISCARDED))) return
  if (databaseUrl !== undefined) await dropEarlierData(databaseUrl)
  rmSync(join(directory, BEFORE_DISCARDED), { recursive: true, force: true })
}
