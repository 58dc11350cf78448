import type { SqliteConnection } from './sqlite-connection.ts'

/** SQL of a passive WAL checkpoint: it copies as far as the oldest page that a reader needs, and waits for no lock. */
export const CHECKPOINT = 'pragma wal_checkpoint(passive)'

/**
 * Number of WAL pages from which the hub runs a checkpoint (4,000 pages = 16 MB). A fleet of 1,000 systems then needs a checkpoint every
 * other minute.
 */
const CHECKPOINT_PAGES = 4000

/**
 * Minimum number of uncopied pages for a further checkpoint. Pages written during a checkpoint must be copied before the WAL can restart.
 */
const LEAST_UNCOPIED_PAGES = CHECKPOINT_PAGES / 16

/** Number of WAL pages at which SQLite runs a checkpoint itself (64 MB), for the case that the thread is busy. */
export const MOST_WAL_PAGES = 4 * CHECKPOINT_PAGES

/**
 * Returns a function to call after each transaction. If the WAL is long, it runs a checkpoint (about 20 ms) through `inThread`. If that
 * returns `undefined`, because no thread is running, it runs the checkpoint on the connection `writing`.
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
 * Returns true when the WAL is long enough for a checkpoint. The mode `noop` only reads its size (SQLite documentation, "PRAGMA
 * wal_checkpoint").
 */
function isCheckpointDue(connection: SqliteConnection): boolean {
  const [[, pages, copied] = []] = connection.find('pragma wal_checkpoint(noop)', []).rows
  return typeof pages === 'number' && typeof copied === 'number' && pages >= CHECKPOINT_PAGES && pages - copied >= LEAST_UNCOPIED_PAGES
}
