import { createWriteStream } from 'node:fs'
import { link, mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../../platform/error-code.ts'
import { BackupRefusedError } from './archive/backup-error.ts'

/** A backup that is kept in the data directory. */
export type BackupFile = { readonly name: string; readonly bytes: number; readonly modifiedAtMs: number }

const NAME = /^[a-z0-9_-]+\.zip$/
export const LONGEST_BACKUP_NAME = 150
export const isBackupName = (name: string): boolean => NAME.test(name) && name.length <= LONGEST_BACKUP_NAME

/** What the hub makes by itself is told from what people made by how its name begins. */
const AUTOMATIC = 'auto_vedette_backup_'
const BY_HAND = 'vedette_backup_'

/** `vedette_backup_20261121063000.zip`, in UTC. */
export function nameAt(nowMs: number, by: 'person' | 'schedule'): string {
  const stamp = new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 14)
  return `${by === 'person' ? BY_HAND : AUTOMATIC}${stamp}.zip`
}

/** Names of the automatic ones that are beyond the `keep` newest. `made` is the newest, though the clock may have been set back before it. */
export function surplus(files: readonly BackupFile[], keep: number, made?: string): readonly string[] {
  const ageOf = ({ name, modifiedAtMs }: BackupFile): number => (name === made ? Number.NEGATIVE_INFINITY : -modifiedAtMs)
  const automatic = files.filter(({ name }) => name.startsWith(AUTOMATIC)).toSorted((a, b) => ageOf(a) - ageOf(b))
  return automatic.slice(keep).map(({ name }) => name)
}

/** Below the folder of backups: what is not finished yet. */
const UNFINISHED = '.unfinished'

export type BackupFolder = {
  readonly path: string
  readonly list: () => Promise<readonly BackupFile[]>
  /** Where it is; undefined when there is none of that name. */
  readonly find: (name: string) => Promise<(BackupFile & { readonly path: string }) | undefined>
  /** An empty folder to work in; disposing it removes it. */
  readonly workplace: () => Promise<AsyncDisposable & { readonly path: string }>
  /** Takes a finished file in under its name. Throws {@link BackupRefusedError} when the name is taken. */
  readonly takeIn: (path: string, name: string) => Promise<void>
  /** Takes what somebody sends. Throws {@link BackupRefusedError} for what is no backup, before it has a name. */
  readonly receive: (name: string, content: Readable) => Promise<void>
  /** False when there is none of that name. */
  readonly remove: (name: string) => Promise<boolean>
}

/** Removes what was unfinished when a hub died. For the hub alone: beside it the command line may be at work. */
export const clearUnfinished = (directory: string): Promise<void> =>
  rm(join(directory, 'backups', UNFINISHED), { recursive: true, force: true })

/** The backups in `DIR/backups`. */
export function openBackupFolder(directory: string): BackupFolder {
  const path = join(directory, 'backups')
  const unfinished = join(path, UNFINISHED)

  async function find(name: string): Promise<(BackupFile & { readonly path: string }) | undefined> {
    if (!isBackupName(name)) return undefined
    const at = join(path, name)
    const facts = await stat(at).catch(() => undefined)
    return facts?.isFile() ? { name, path: at, bytes: facts.size, modifiedAtMs: facts.mtimeMs } : undefined
  }

  async function workplace() {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    const place = await mkdtemp(join(unfinished, 'work-'))
    return { path: place, [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }) }
  }

  async function takeIn(from: string, name: string): Promise<void> {
    try {
      // Unlike a rename, this never replaces another file.
      await link(from, join(path, name))
    } catch (cause) {
      if (errorCode(cause) === 'EEXIST') throw new BackupRefusedError(`There is a backup "${name}" already`, { cause })
      throw cause
    }
    await flushFolder(path)
  }

  return {
    path,
    find,
    workplace,
    takeIn,
    async list() {
      const names = await readdir(path).catch(() => [])
      const files = await Promise.all(names.map(find))
      return files.flatMap((file) => (file === undefined ? [] : [{ name: file.name, bytes: file.bytes, modifiedAtMs: file.modifiedAtMs }]))
    },
    async receive(name, content) {
      await using place = await workplace()
      const arrived = join(place.path, name)
      await pipeline(content, createWriteStream(arrived, { mode: 0o600, flush: true }))
      // Loaded when it is needed: most hubs are never sent a backup.
      const { readManifest } = await import('./archive/archive.ts')
      await readManifest(arrived)
      await takeIn(arrived, name)
    },
    async remove(name) {
      const found = await find(name)
      if (found !== undefined) await rm(found.path, { force: true })
      return found !== undefined
    },
  }
}

/** Makes what was put into a folder last through a power cut. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
