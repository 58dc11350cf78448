import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { INSTANCE } from '../../platform/db/migrate.ts'
import { thisProgram } from '../../platform/db/migrations/all-migrations.ts'
import { SCHEMA_VERSION } from '../../platform/db/schema-support.ts'
import { SQLITE_FILE } from '../../platform/db/sqlite/sqlite.ts'
import type { Log } from '../../platform/log.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { BackupRefusedError } from './archive/backup-error.ts'
import { nameAt, openBackupFolder, surplus, type BackupFolder, type BackupReason, type Keeping } from './backup-folder.ts'
import type { BackupPlace } from './backup-place.ts'
import { refuseBesideHubs } from './other-hubs.ts'
import type { ArchivedFile, Manifest } from './archive/manifest.ts'
import { DUMP_FILE, markReady, STAGE, type ReadyRestore } from './pending-restore.ts'
import { checkDump, dumpPostgres } from './postgres-programs.ts'
import { openFiles, sealFiles } from './archive/sealed-files.ts'
import { STALLED_MS } from './archive/stall-watch.ts'
import { runThreadJob, type JobProgress } from './archive/thread-jobs.ts'

/**
 * Backup operation that runs now: `what` is `making`, `checking` or `restoring`, and `name` is the backup's file name. `doneBytes` and
 * `totalBytes` are those of its current step, absent while unknown.
 */
export type BackupWork = { readonly what: 'making' | 'checking' | 'restoring'; readonly name: string } & Partial<JobProgress>

export type Making = { readonly name?: string; readonly passphrase: string | undefined; readonly by: BackupReason }

export type Backups = AsyncDisposable & {
  readonly folder: Omit<BackupFolder, 'workplace' | 'takeIn'>
  readonly working: () => BackupWork | undefined
  /**
   * Makes a backup while the hub runs, and resolves to its file name: the one in `making`, otherwise a free one with the time. Rejects with
   * {@link BackupRefusedError} when another operation runs or the backup fails.
   */
  readonly make: (making: Making) => Promise<string>
  /**
   * Unpacks a backup (by file name) into a temporary folder, checks it and deletes the folder. Resolves to the backup's manifest.
   * `passphrase` decrypts a secret key in it. Rejects with {@link BackupRefusedError} if this hub cannot restore it, such as a damaged one
   * or one with another secret key.
   */
  readonly verify: (name: string, passphrase: string | undefined) => Promise<Manifest>
  /**
   * Unpacks and checks a backup (by file name), and stages its files in the data directory. At its next start, the hub replaces its data
   * with them. `by` is the user who requested the restore. Rejects with {@link BackupRefusedError} if it cannot be restored or other hubs
   * run.
   */
  readonly prepareRestore: (name: string, passphrase: string | undefined, by?: ReadyRestore['by']) => Promise<void>
  /**
   * Deletes old backups that the hub made for one reason (schedule or upgrade), except the newest ones, as the rule `keeping` says. Backups
   * with other names, such as those that users made, stay.
   */
  readonly keep: (keeping: Keeping) => Promise<void>
}

export type BackupParts = {
  readonly directory: string
  readonly place: BackupPlace
  /** Name of this hub among those that share the database. `undefined` in a command of the command line. */
  readonly hub: string | undefined
  /** URL of the hub's PostgreSQL database; `undefined` when the hub uses SQLite. */
  readonly databaseUrl: string | undefined
  readonly database: Database
  readonly secrets: SecretBox
  readonly isKeyConfigured: boolean
  readonly clock: Clock
  readonly log: Log
  /** Time in ms without progress after which a backup step fails; 30 min by default. */
  readonly stalledMs?: number
}

/**
 * Creates the service for backups: `make`, `verify`, `prepareRestore` and deletion of old ones. Only one of the first three runs at a time;
 * a second one rejects with {@link BackupRefusedError}.
 */
export function backupsOf(parts: BackupParts): Backups {
  const { directory, place: backupPlace, hub, databaseUrl, database, secrets, isKeyConfigured, clock, log, stalledMs = STALLED_MS } = parts
  const folder = openBackupFolder(backupPlace)
  const ending = new AbortController()
  let working: BackupWork | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function alone<T>(now: BackupWork, work: () => Promise<T>): Promise<T> {
    if (working !== undefined) throw new BackupRefusedError('Try again later - another backup/restore process has already been started.')
    working = now
    const done = work().finally(() => (working = undefined))
    last = done.catch(() => {})
    return done
  }

  const onProgress = (progress: JobProgress): void => {
    if (working !== undefined) working = { ...working, ...progress }
  }

  /**
   * Resolves to an unused file name for a backup that is made now, with the time in it. If a backup has that name because the clock was set
   * back, the next free second is used.
   */
  async function freeName(by: Making['by']): Promise<string> {
    let atMs = clock.now()
    while ((await folder.find(nameAt(atMs, by))) !== undefined) atMs += 1000
    return nameAt(atMs, by)
  }

  async function make({ name = nameAt(clock.now(), 'person'), passphrase }: Making): Promise<void> {
    if ((await folder.find(name)) !== undefined) throw new BackupRefusedError(`There is a backup "${name}" already`)
    await using place = await folder.workplace()
    const sealed = await sealFiles({ directory, folder: place.path, secrets, passphrase })
    const facts = { version: VEDETTE_VERSION, madeAtMs: clock.now(), database: database.name, ...(await databaseFacts(database)) }
    if (databaseUrl !== undefined) await dumpPostgres(databaseUrl, join(place.path, DUMP_FILE), { signal: ending.signal, stalledMs })
    const copied: ArchivedFile = databaseUrl === undefined ? 'database.sqlite' : DUMP_FILE
    const path = join(place.path, 'backup.zip')
    const job = { kind: 'make', path, folder: place.path, files: [copied, ...sealed], facts } as const
    await runThreadJob(
      { ...job, database: databaseUrl === undefined ? join(directory, SQLITE_FILE) : undefined },
      onProgress,
      ending.signal,
      stalledMs,
    )
    await folder.takeIn(path, name)
  }

  /**
   * Unpacks a backup (by file name) into the folder `to` and checks it. Resolves to its manifest and the names of the decrypted secret
   * files. Rejects with {@link BackupRefusedError} when this hub cannot restore the backup.
   */
  async function unpack(name: string, to: string, passphrase: string | undefined) {
    const found = await folder.find(name)
    if (found === undefined) throw new BackupRefusedError(`There is no backup "${name}"`)
    const { manifest } = await runThreadJob({ kind: 'unpack', path: found.path, folder: to }, onProgress, ending.signal, stalledMs)
    if (manifest === undefined) throw new TypeError('Cannot read the backup: its thread gave no manifest')
    if (manifest.database !== database.name)
      throw new BackupRefusedError(
        `Cannot restore the backup: it is of ${titles[manifest.database]}, and this hub runs on ${titles[database.name]}`,
      )
    // A hub that is not upgraded yet may have made it beside newer ones.
    if (manifest.schemaVersion > thisProgram.migrations.length)
      throw new BackupRefusedError(
        `Cannot restore the backup: its database is of a newer version than this hub, ${VEDETTE_VERSION}; restore it with the newest version that used the database`,
      )
    if (manifest.database === 'postgres') await checkDump(join(to, DUMP_FILE), { signal: ending.signal, stalledMs })
    const opened = await openFiles({ folder: to, proof: manifest.proof, secrets, isKeyConfigured, passphrase })
    return { manifest, opened }
  }

  return {
    folder,
    working: () => working,
    async make(making) {
      const name = making.name ?? (await freeName(making.by))
      await alone({ what: 'making', name }, () => make({ ...making, name }))
      log.info('backup made', { name, by: making.by, withKey: making.passphrase !== undefined })
      return name
    },
    verify: (name, passphrase) =>
      alone({ what: 'checking', name }, async () => {
        await using place = await folder.workplace()
        return (await unpack(name, place.path, passphrase)).manifest
      }),
    prepareRestore: (name, passphrase, by) =>
      alone({ what: 'restoring', name }, async () => {
        await refuseBesideHubs(database, hub)
        const stage = join(directory, STAGE)
        await rm(stage, { recursive: true, force: true })
        await mkdir(stage, { mode: 0o700 })
        const { manifest, opened } = await unpack(name, stage, passphrase)
        if (manifest.database === 'sqlite') await rename(join(stage, 'database.sqlite'), join(stage, SQLITE_FILE))
        await writeFile(join(stage, 'instance'), manifest.instance, { mode: 0o600, flush: true })
        const keeps = ['secret.key', 'id_ed25519', 'config.yml'].filter((file) => !opened.includes(file))
        markReady(directory, { name, madeAtMs: manifest.madeAtMs, keeps, ...(by === undefined ? {} : { by }) })
        log.warn('a backup is ready to be restored', { name })
      }),
    async keep(keeping) {
      for (const name of surplus(await folder.list(), keeping)) {
        await folder.remove(name)
        log.info('automatic backup removed', { name })
      }
    },
    async [Symbol.asyncDispose]() {
      ending.abort(new BackupRefusedError('The hub is stopping'))
      await last
    },
  }
}

const titles = { sqlite: 'the embedded database', postgres: 'PostgreSQL' } as const

async function databaseFacts({ kysely }: Database): Promise<Pick<Manifest, 'schemaVersion' | 'instance' | 'proof'>> {
  const rows = await kysely
    .selectFrom('hub_state')
    .select(['name', 'value'])
    .where('name', 'in', [SCHEMA_VERSION, INSTANCE, 'secretProof'])
    .execute()
  const states = new Map(rows.map(({ name, value }) => [name, value]))
  return {
    schemaVersion: Number(states.get(SCHEMA_VERSION)),
    instance: states.get(INSTANCE) ?? '',
    proof: states.get('secretProof') ?? '',
  }
}
