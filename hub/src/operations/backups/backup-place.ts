import { link, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { withDeadline } from '../../platform/deadline.ts'
import { errorCode } from '../../platform/error-code.ts'

/**
 * Location of a hub's backups: `path` of the folder of finished ones and `unfinished`. Both are in the data directory, or below the mounted
 * folder of the option `--backups` (`isShared`).
 */
export type BackupPlace = {
  readonly path: string
  /**
   * Path of the folder of unfinished backups. It is on the same filesystem as the folder `path` of finished backups, because a finished
   * backup is hard-linked into that folder.
   */
  readonly unfinished: string
  /**
   * True for a mounted folder from the option `--backups`. The hub never creates this folder: a local one would hide that the mount is
   * missing.
   */
  readonly isShared: boolean
}

/** Thrown when the folder of `--backups` cannot be used. The message is one sentence for the operator. */
export class BackupFolderUnusableError extends Error {
  override readonly name = 'BackupFolderUnusableError'
}

const UNFINISHED = '.unfinished'

/** Returns the location of backups in the data directory, `DIR/backups`. The folder is created by the first backup. */
export function ownBackupPlace(directory: string): BackupPlace {
  const path = join(directory, 'backups')
  return { path, unfinished: join(path, UNFINISHED), isShared: false }
}

export type SharedBackups = {
  /**
   * Path of the mounted folder from the option `--backups`. Each database has a subfolder of its own in it, whose name is the database's
   * id.
   */
  readonly folder: string
  readonly directory: string
  /** Id of the database. It names the subfolder of the database's backups, so that two fleets can share one folder. */
  readonly instance: string
}

/**
 * Timeout of the check of the mounted folder of `--backups`, in ms (10 s); after it, the folder counts as unusable. A hung network
 * filesystem never responds.
 */
const ANSWERS_WITHIN_MS = 10_000

/**
 * Checks the folder of `--backups` by writing to it, creates the subfolder of the database and resolves to the location. Rejects with
 * {@link BackupFolderUnusableError}.
 */
export function openSharedBackups(shared: SharedBackups): Promise<BackupPlace> {
  const { folder } = shared
  const late = () => new BackupFolderUnusableError(`Cannot use the backup folder "${folder}": it does not answer within 10 s`)
  return withDeadline(ANSWERS_WITHIN_MS, checked(shared), late)
}

async function checked({ folder, directory, instance }: SharedBackups): Promise<BackupPlace> {
  const unusable = (why: string, cause?: unknown) =>
    new BackupFolderUnusableError(`Cannot use the backup folder "${folder}": ${why}`, { cause })
  const real = await realpath(folder).catch((error: unknown) => {
    throw unusable(
      errorCode(error) === 'ENOENT' ? 'it does not exist; create it, or mount it' : (errorCode(error) ?? 'unknown reason'),
      error,
    )
  })
  const data = await realpath(directory)
  if (`${real}${sep}`.startsWith(`${data}${sep}`))
    throw unusable('it is in the data directory; give a folder elsewhere, or leave --backups out for backups of this hub alone')
  const path = join(folder, instance)
  const place = { path, unfinished: join(path, UNFINISHED), isShared: true }
  try {
    for (const made of [path, place.unfinished]) await makeFolder(made)
    const trial = await mkdtemp(join(place.unfinished, 'trial-'))
    await writeFile(join(trial, 'written'), '')
    await link(join(trial, 'written'), join(trial, 'linked'))
    await rm(trial, { recursive: true })
  } catch (error) {
    throw unusable(`this hub cannot write files and hard links there (${errorCode(error) ?? 'unknown reason'})`, error)
  }
  return place
}

/**
 * Creates a folder (mode 0700); its parent must exist. Does nothing if it exists. Node's recursive mkdir loops forever on a filesystem that
 * reports ENOENT, such as procfs.
 */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}
