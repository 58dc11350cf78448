import type { SqliteConnection } from './sqlite-connection.ts'

/** Puts what is in the log into the file, as far as nobody still reads older pages, without waiting for anybody. */
export const FOLD_LOG = 'pragma wal_checkpoint(passive)'

/**
 * The log is folded into the file when it has this many pages, 16 MB: what a thousand systems change every minute is written
 * there every other minute then, not every ten seconds.
 */
const LONG_PAGES = 4000

/** What is written while the log is folded has to follow before it can begin anew: so many pages of it at a time. */
const REST_PAGES = LONG_PAGES / 16

/** Where SQLite folds it by itself, whatever the thread that should have done so is busy with: 64 MB. */
export const MOST_LOG_PAGES = 4 * LONG_PAGES

/**
 * To be called after each transaction: folds a long log into the file, which takes some 20 ms of work and, with a slow disk, far longer.
 * `inThread` has a thread do it while the hub goes on; undefined where there is none, and where nobody waits for an answer.
 */
export function logFolding(writing: SqliteConnection, inThread: () => Promise<unknown> | undefined): () => void {
  let folding = false
  return () => {
    if (folding) return
    try {
      if (!isLong(writing)) return
      const there = inThread()
      if (there === undefined) return void writing.find(FOLD_LOG, [])
      folding = true
      void there.catch(() => undefined).finally(() => (folding = false))
    } catch {
      // What was written is in the log and stays there: it is folded when that works again, as SQLite itself has it.
    }
  }
}

/** Looks, and folds nothing (SQLite documentation, "PRAGMA wal_checkpoint"). */
function isLong(connection: SqliteConnection): boolean {
  const [[, pages, folded] = []] = connection.find('pragma wal_checkpoint(noop)', []).rows
  return typeof pages === 'number' && typeof folded === 'number' && pages >= LONG_PAGES && pages - folded >= REST_PAGES
}
