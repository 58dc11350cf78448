import { backup, DatabaseSync } from 'node:sqlite'
import { BackupRefusedError } from './backup-error.ts'
import type { Progress } from './archive.ts'

/** Number of SQLite pages, 1000, that a backup copies in one step. After each step it reports its progress. */
const PAGES_A_STEP = 1000
const BUSY_TIMEOUT_MS = 5000

/**
 * Copies the SQLite database at the path `from`, which may be in use, to a single file `to` without a WAL. An open read transaction keeps
 * the snapshot, so writes meanwhile do not restart the copy (SQLite "Online Backup API").
 */
export async function copySqlite(from: string, to: string, progress: Progress): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    source.exec('begin')
    const pageBytes = Number(source.prepare('pragma page_size').get()?.['page_size'])
    source.prepare('select count(*) from sqlite_master').get()
    await backup(source, to, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => progress((totalPages - remainingPages) * pageBytes, totalPages * pageBytes),
    })
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(to)
  copy.exec('pragma journal_mode = delete')
  copy.close()
}

/**
 * Values read from a copied SQLite database for the backup's manifest: number of migrations, database id, and `proof`. Only the right
 * secret key decrypts the text `proof`.
 */
export type SqliteFacts = { readonly schemaVersion: number; readonly instance: string; readonly proof: string }

/**
 * Checks a copied SQLite database with `pragma integrity_check`, and returns the values for the backup's manifest. Throws {@link
 * BackupRefusedError} when it is damaged or lacks the table `hub_state`.
 */
export function checkSqlite(path: string): SqliteFacts {
  let copy: DatabaseSync | undefined
  try {
    copy = new DatabaseSync(path, { readOnly: true })
    const [first] = copy.prepare('pragma integrity_check(1)').all()
    const found = String(first?.['integrity_check'])
    if (found !== 'ok') throw new BackupRefusedError(`Cannot read the backup: its database is damaged (${found})`)
    const states = new Map(
      copy
        .prepare("select name, value from hub_state where name in ('schemaVersion', 'instance', 'secretProof')")
        .all()
        .map(({ name, value }) => [name, String(value)]),
    )
    return {
      schemaVersion: Number(states.get('schemaVersion')),
      instance: states.get('instance') ?? '',
      proof: states.get('secretProof') ?? '',
    }
  } catch (error) {
    if (error instanceof BackupRefusedError) throw error
    throw new BackupRefusedError(
      `Cannot read the backup: its database is damaged (${error instanceof Error ? error.message : 'unknown'})`,
      {
        cause: error,
      },
    )
  } finally {
    copy?.close()
  }
}
