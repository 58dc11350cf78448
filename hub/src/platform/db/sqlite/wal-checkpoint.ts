import type { SqliteConnection } from './sqlite-connection.ts'

/** SQL of a passive WAL checkpoint: it copies the WAL pages that no reader prevents into the database file, and waits for no lock. */
export const CHECKPOINT = 'pragma wal_checkpoint(passive)'

/**
 * Number of pages in SQLite's WAL from which the hub runs a checkpoint: 4,000 pages of 4 KiB. With 1,000 systems that is every other
 * minute.
 */
const CHECKPOINT_PAGES = 4000

/**
 * Minimum number, 250, of WAL pages that were not copied to the SQLite file yet, for a new checkpoint. Without it, an open reader, which
 * prevents copying, would cause a checkpoint after every write.
 */
const LEAST_UNCOPIED_PAGES = CHECKPOINT_PAGES / 16

/** Number of WAL pages (64 MB) at which SQLite itself runs a checkpoint, in case the hub's own checkpoints are late. */
export const MOST_WAL_PAGES = 4 * CHECKPOINT_PAGES

/**
 * Returns the function to call after each SQLite transaction. If a WAL checkpoint is due ({@link isCheckpointDue}), it runs one by
 * `inThread` (about 20 ms), or on the connection `writing` if no thread runs.
 */
export function walCheckpoints(writing: SqliteConnection, inThread: () => Promise<unknown> | undefined): () => void {
  let isRunning = false
  return () => {
    if (isRunning) return
    try {
      if (!isCheckpointDue(writing)) return
      const there = inThread()
      if (there === undefined) return void writing.find(CHECKPOINT, [])
      isRunning = true
      void there.catch(() => undefined).finally(() => (isRunning = false))
    } catch {
      // The committed data stay in the WAL. A later checkpoint copies them.
    }
  }
}

/**
 * Returns true when the WAL has at least 4,000 pages, 250 of them not yet copied. The checkpoint mode `noop` returns these numbers and
 * copies nothing (SQLite documentation, "PRAGMA wal_checkpoint").
 */
function isCheckpointDue(connection: SqliteConnection): boolean {
  const [[, pages, copied] = []] = connection.find('pragma wal_checkpoint(noop)', []).rows
  return typeof pages === 'number' && typeof copied === 'number' && pages >= CHECKPOINT_PAGES && pages - copied >= LEAST_UNCOPIED_PAGES
}
