import { join } from 'node:path'
import { errorCode } from '../../platform/error-code.ts'
import type { Clock } from '../../platform/clock.ts'
import { databaseFailure } from '../../platform/db/database-failures.ts'
import { DatabaseUnusableError, type BeforeUpgrade } from '../../platform/db/database.ts'
import { loadState } from '../../platform/db/hub-state.ts'
import { INSTANCE } from '../../platform/db/migrate.ts'
import type { Log } from '../../platform/log.ts'
import { shellWord } from '../../platform/process/shell-word.ts'
import { openSecrets } from '../../platform/secrets/open-secrets.ts'
import type { BackupPlace } from './backup-place.ts'
import { backupsOf, type Backups } from './backups.ts'

/** Maximum number of backups made before upgrades that are kept: 3. Each new one deletes the oldest beyond that. */
const MOST_COPIES = 3

export type CopyParts = {
  readonly directory: string
  /**
   * Function that gets the id of the database that will be upgraded, and resolves to the location of its backups. The id is empty for a
   * database that has none yet.
   */
  readonly placeOf: (instance: string) => Promise<BackupPlace>
  /** URL of the PostgreSQL database that is about to be upgraded; `undefined` for SQLite. */
  readonly databaseUrl: string | undefined
  /** Secret key text that the operator configured; `undefined` if the key is in the data directory's file `secret.key`. */
  readonly secretKey: string | undefined
  readonly clock: Clock
  readonly log: Log
}

/**
 * Returns the function that makes a backup before an upgrade of the database. It resolves to the backup's path and a function that deletes
 * the backup. The log names the backup and the command that restores it. Rejects with {@link DatabaseUnusableError} when there can be no
 * backup; the hub must not upgrade then. Deletes all but the 3 newest backups of this kind.
 */
export function copyBeforeUpgrade({ directory, placeOf, databaseUrl, secretKey, clock, log }: CopyParts): BeforeUpgrade {
  return async (database) => {
    const place = await placeOf((await loadState(database.kysely, INSTANCE)) ?? '')
    const secrets = await openSecrets({ directory, configured: secretKey, database })
    const isKeyConfigured = secretKey !== undefined
    const backups = backupsOf({ directory, place, hub: undefined, databaseUrl, database, secrets, isKeyConfigured, clock, log })
    try {
      const name = await madeOf(backups, place.path)
      const path = join(place.path, name)
      const folder = place.isShared ? ['--backups FOLDER'] : []
      const server = databaseUrl === undefined ? [] : ['--database URL']
      const options = [`--data ${shellWord(directory)}`, ...server, ...folder].join(' ')
      log.info('backup made before the upgrade of the database', { path, restore: `vedette backup restore ${name} ${options}` })
      return { path, discard: async () => void (await backups.folder.remove(name)) }
    } finally {
      await backups[Symbol.asyncDispose]()
    }
  }
}

async function madeOf(backups: Backups, folder: string): Promise<string> {
  try {
    const made = await backups.make({ by: 'upgrade', passphrase: undefined })
    await backups.keep({ by: 'upgrade', most: MOST_COPIES, made })
    return made
  } catch (cause) {
    throw new DatabaseUnusableError(
      `Cannot upgrade the database: no backup could be made in "${folder}" (${reasonOf(cause)}), so nothing was changed; correct that, or start once with --upgrade-without-backup true`,
      { cause },
    )
  }
}

/**
 * Returns the reason why a backup failed, as one line without a full stop such as `the disk is full`. The caller puts it inside a sentence
 * of the log.
 */
function reasonOf(error: unknown): string {
  if (databaseFailure(error) === 'full' || errorCode(error) === 'ENOSPC' || /disk is full|No space left/i.test(String(error)))
    return 'the disk is full'
  const text = error instanceof Error ? error.message : String(error)
  return text
    .replace(/^Cannot finish: /, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/\.$/, '')
}
