import type { SqliteConnection } from './sqlite-connection.ts'

/** A WAL checkpoint up to the oldest page that a reader needs. It waits for nobody. */
export const CHECKPOINT = 'pragma wal_checkpoint(passive)'

/** WAL size in pages at which a checkpoint runs: 16 MB. A thousand systems then need one every other minute, not every 10 s. */
const LONG_PAGES = 4000

/** Minimum pages that a further checkpoint copies. Pages written during a checkpoint must be copied too before the WAL can restart. */
const REST_PAGES = LONG_PAGES / 16

/** WAL size at which SQLite runs a checkpoint itself, even if the thread is busy: 64 MB. */
export const MOST_WAL_PAGES = 4 * LONG_PAGES

/**
 * Returns a function to call after each transaction. It runs a checkpoint of a long WAL: about 20 ms of work, and far longer on a slow
 * disk. `inThread` runs it in a thread while the hub goes on. It returns `undefined` when no thread is running; then it runs here.
 */
export function walCheckpoints(writing: SqliteConnection, inThread: () => Promise<unknown> | undefined): () => void {
  let isRunning = false
  return () => {
    if (isRunning) return
    try {
      if (!isLong(writing)) return
      const there = inThread()
      if (there === undefined) return void writing.find(CHECKPOINT, [])
      isRunning = true
      void there.catch(() => undefined).finally(() => (isRunning = false))
    } catch {
      // The committed data stay in the WAL. A later checkpoint copies them, as SQLite itself does.
    }
  }
}

/** True when a checkpoint is due. The `noop` mode runs none (SQLite documentation, "PRAGMA wal_checkpoint"). */
function isLong(connection: SqliteConnection): boolean {
  const [[, pages, copied] = []] = connection.find('pragma wal_checkpoint(noop)', []).rows
  return typeof pages === 'number' && typeof copied === 'number' && pages >= LONG_PAGES && pages - copied >= REST_PAGES
}
