import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { restorePostgres } from './postgres-programs.ts'

/** Holds what a restore brings. It counts from the moment that {@link READY} is in it. */
export const STAGE = 'restore'
const READY = 'ready.json'
/** Holds what was there before, until a hub has started on what was restored. */
const BEFORE = 'before-restore'
const ALL_MOVED = 'all-moved'
const GOING_BACK = 'going-back'

export const DUMP_FILE = 'database.dump'

/** Everything in a data directory that a restore replaces; the database's log belongs to the database. */
const replaced = ['vedette.sqlite', 'vedette.sqlite-wal', 'vedette.sqlite-shm', 'id_ed25519', 'config.yml', 'instance', 'secret.key']

const readySchema = z.object({
  name: z.string(),
  madeAtMs: z.number(),
  keeps: z.array(z.string()),
  by: z.object({ id: z.string(), email: z.string() }).optional(),
})

/** `keeps`: files of the data directory that stay as they are, since the backup has none of their kind. `by`: who asked; absent for the command line. */
export type ReadyRestore = Readonly<z.infer<typeof readySchema>>

/** The last step of staging: from here on the restore happens at the hub's next start, whatever comes between. */
export function markReady(directory: string, ready: ReadyRestore): void {
  const stage = join(directory, STAGE)
  // What an earlier restore left would be taken for what was there before this one.
  rmSync(join(directory, BEFORE), { recursive: true, force: true })
  writeDurably(join(stage, `${READY}.new`), JSON.stringify(ready))
  flush(stage)
  renameSync(join(stage, `${READY}.new`), join(stage, READY))
  flush(stage)
}

export function isRestorePending(directory: string): boolean {
  return existsSync(join(directory, STAGE, READY)) || existsSync(join(directory, BEFORE, GOING_BACK))
}

/**
 * Carries out a restore that is ready, or finishes one that was interrupted, before anything of the directory is opened; the
 * caller holds its lock. Each step can be done again. Told of again until a hub has started on what was restored. Undefined when
 * there is none.
 */
export async function carryOutRestore(directory: string, databaseUrl: string | undefined): Promise<ReadyRestore | undefined> {
  if (existsSync(join(directory, BEFORE, GOING_BACK))) goBack(directory)
  const stage = join(directory, STAGE)
  if (!existsSync(join(stage, READY))) {
    rmSync(stage, { recursive: true, force: true })
    return readReady(join(directory, BEFORE))
  }
  const ready = readReady(stage)
  if (ready === undefined) return undefined
  const dump = join(stage, DUMP_FILE)
  if (databaseUrl !== undefined && existsSync(dump)) {
    try {
      await restorePostgres(databaseUrl, dump, { signal: AbortSignal.timeout(RESTORE_WITHIN_MS) })
    } catch (error) {
      // In one transaction: nothing has changed, and the next start is not to try it again.
      rmSync(join(stage, READY))
      throw error
    }
    rmSync(dump)
  }
  const moving = replaced.filter((name) => !ready.keeps.includes(name))
  setAside(directory, moving)
  for (const name of moving) move(join(stage, name), join(directory, name))
  flush(directory)
  renameSync(join(stage, READY), join(directory, BEFORE, READY))
  flush(join(directory, BEFORE))
  flush(stage)
  rmSync(stage, { recursive: true, force: true })
  return ready
}

/** A dump of a large hub takes minutes; one that takes longer than this hangs. */
const RESTORE_WITHIN_MS = 3_600_000

/** A hub has started on what was restored: what was there before is not needed any more. */
export function finishRestore(directory: string): void {
  rmSync(join(directory, BEFORE), { recursive: true, force: true })
}

/** A hub could not start on what was restored. False when there is nothing to go back to. */
export function takeBack(directory: string): boolean {
  const before = join(directory, BEFORE)
  if (!existsSync(join(before, ALL_MOVED))) return false
  writeDurably(join(before, GOING_BACK), '')
  flush(before)
  goBack(directory)
  return true
}

function readReady(folder: string): ReadyRestore | undefined {
  const path = join(folder, READY)
  return existsSync(path) ? readySchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}

function setAside(directory: string, names: readonly string[]): void {
  const before = join(directory, BEFORE)
  if (existsSync(join(before, ALL_MOVED))) return
  mkdirSync(before, { recursive: true, mode: 0o700 })
  for (const name of names) move(join(directory, name), join(before, name))
  writeDurably(join(before, ALL_MOVED), JSON.stringify(names))
  flush(before)
}

function goBack(directory: string): void {
  const before = join(directory, BEFORE)
  const names = z.array(z.string()).parse(JSON.parse(readFileSync(join(before, ALL_MOVED), 'utf8')))
  const aside = join(before, 'restored')
  mkdirSync(aside, { recursive: true })
  for (const name of names) {
    // Once the old one is back there is nothing more to move, however often this is begun.
    const isBack = !existsSync(join(before, name)) && existsSync(join(aside, `${name}.done`))
    if (isBack) continue
    move(join(directory, name), join(aside, name))
    writeDurably(join(aside, `${name}.done`), '')
    move(join(before, name), join(directory, name))
  }
  flush(directory)
  rmSync(before, { recursive: true, force: true })
}

function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}

function writeDurably(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600, flush: true })
}

function flush(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
