import { createWriteStream } from 'node:fs'
import { link, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../../platform/error-code.ts'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { BackupRefusedError } from './archive/backup-error.ts'
import type { BackupPlace } from './backup-place.ts'
import { openWorkplace, type Workplace } from './backup-workplace.ts'

/** Finished backup in the backup folder: its file `name` such as `monday.zip`, size in bytes, and modification time in epoch ms. */
export type BackupFile = { readonly name: string; readonly bytes: number; readonly modifiedAtMs: number }

const NAME = /^[a-z0-9_-]+\.zip$/
export const LONGEST_BACKUP_NAME = 150
export const isBackupName = (name: string): boolean => NAME.test(name) && name.length <= LONGEST_BACKUP_NAME

/**
 * Name of the reason why a backup is made: `person` (a user wants it), `schedule` (it is due), or `upgrade` (this version is about to
 * upgrade the database). The hub deletes old backups of the last two.
 */
export type BackupReason = 'person' | 'schedule' | 'upgrade'

/**
 * Map from the reason of a backup (`person`, `schedule`, `upgrade`) to the prefix of its file name, such as `auto_vedette_backup_`. The
 * prefix of `upgrade` contains this program's version, to which the hub upgrades.
 */
const prefixes: Readonly<Record<BackupReason, string>> = {
  person: 'vedette_backup_',
  schedule: 'auto_vedette_backup_',
  upgrade: `before_upgrade_to_${VEDETTE_VERSION.replaceAll(/[^a-z0-9]+/g, '-')}_`,
}

/**
 * Map from the reason of an automatic backup (`schedule`, `upgrade`) to a regular expression for the names of such files. The hub deletes
 * the oldest of these when there are too many.
 */
const ownNames: Readonly<Record<Exclude<BackupReason, 'person'>, RegExp>> = {
  schedule: /^auto_vedette_backup_/,
  upgrade: /^before_upgrade_to_[a-z0-9-]+_\d{14}\.zip$/,
}

/**
 * Returns the file name of a backup made at a time: `vedette_backup_20261121063000.zip`, in UTC, with another prefix for backups that the
 * hub makes by itself (`by`).
 */
export function nameAt(nowMs: number, by: BackupReason): string {
  const stamp = new Date(nowMs).toISOString().replace(/\D/g, '').slice(0, 14)
  return `${prefixes[by]}${stamp}.zip`
}

/**
 * Rule for deleting old automatic backups: of those made for the reason `by` (`schedule` or `upgrade`), the `most` newest stay. `made` is
 * the file just made; it counts as the newest, even after the clock was set back.
 */
export type Keeping = { readonly by: keyof typeof ownNames; readonly most: number; readonly made?: string | undefined }

/**
 * Returns the names of the old backups to delete by a rule: all but the `most` newest of the rule's reason (schedule or upgrade). Other
 * files are never among them.
 */
export function surplus(files: readonly BackupFile[], { by, most, made }: Keeping): readonly string[] {
  const ageOf = ({ name, modifiedAtMs }: BackupFile): number => (name === made ? Number.NEGATIVE_INFINITY : -modifiedAtMs)
  const own = files.filter(({ name }) => ownNames[by].test(name)).toSorted((a, b) => ageOf(a) - ageOf(b))
  return own.slice(most).map(({ name }) => name)
}

export type BackupFolder = {
  readonly path: string
  /**
   * Resolves to all finished backups: file name, size and modification time of each. Rejects with {@link BackupRefusedError} when the
   * folder of the option `--backups` is not reachable. A missing folder in the data directory gives `[]`.
   */
  readonly list: () => Promise<readonly BackupFile[]>
  /**
   * Resolves to the backup with this file name: its size, modification time and path. `undefined` when there is none or the name is
   * invalid.
   */
  readonly find: (name: string) => Promise<(BackupFile & { readonly path: string }) | undefined>
  /**
   * Creates an empty temporary folder in which a backup is made or unpacked, and resolves to it. Disposing the result removes the folder.
   */
  readonly workplace: () => Promise<Workplace>
  /**
   * Adds the finished file at `path` to the folder of backups as `name`, by a hard link. Rejects with {@link BackupRefusedError} when a
   * backup has this name.
   */
  readonly takeIn: (path: string, name: string) => Promise<void>
  /**
   * Saves the bytes of an uploaded backup as `name`. Checks only the manifest in it. Rejects with {@link BackupRefusedError} if the
   * manifest is invalid or a backup with this name exists; nothing is saved then.
   */
  readonly receive: (name: string, content: Readable) => Promise<void>
  /** Deletes the backup with this file name from the backup folder. Resolves to false when there is none. */
  readonly remove: (name: string) => Promise<boolean>
}

export function openBackupFolder({ path, unfinished, isShared }: BackupPlace): BackupFolder {
  const gone = (cause: unknown): BackupRefusedError =>
    new BackupRefusedError(`Cannot use the backup folder "${path}": ${errorCode(cause) ?? 'unknown reason'}`, { cause })

  async function find(name: string): Promise<(BackupFile & { readonly path: string }) | undefined> {
    if (!isBackupName(name)) return undefined
    const at = join(path, name)
    const facts = await stat(at).catch(() => undefined)
    return facts?.isFile() ? { name, path: at, bytes: facts.size, modifiedAtMs: facts.mtimeMs } : undefined
  }

  async function workplace(): Promise<Workplace> {
    if (isShared) await stat(path).catch((error: unknown) => Promise.reject(gone(error)))
    return openWorkplace(unfinished)
  }

  async function takeIn(from: string, name: string): Promise<void> {
    try {
      // Unlike a rename, `link` never replaces another file.
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
      const names = await readdir(path).catch((error: unknown) => (isShared ? Promise.reject(gone(error)) : []))
      const files = await Promise.all(names.map(find))
      return files.flatMap((file) => (file === undefined ? [] : [{ name: file.name, bytes: file.bytes, modifiedAtMs: file.modifiedAtMs }]))
    },
    async receive(name, content) {
      await using place = await workplace()
      const arrived = join(place.path, name)
      await pipeline(content, createWriteStream(arrived, { mode: 0o600, flush: true }))
      // Loaded on demand, because most hubs never receive a backup.
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

/** Flushes the folder at `path` to disk (fsync), so that new files in it survive a power cut. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
