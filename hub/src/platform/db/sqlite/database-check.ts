import { openWorker } from '../../process/worker.ts'

/** Request to a worker thread to check the SQLite file at `path`. `isInUse`: a hub has it open. If false, the file must have no WAL. */
export type CheckOrder = { readonly path: string; readonly isInUse: boolean }

/**
 * Result of checking a SQLite file. `damage` is the first problem that SQLite reported, as text; `undefined` for none. `states` has the
 * values of the table `hub_state` by key.
 */
export type CheckedDatabase = { readonly damage: string | undefined; readonly states: { readonly [name: string]: string } }

/**
 * Runs `pragma quick_check` on a SQLite file in a worker thread and reads its table `hub_state`; resolves to both results. Changes no file.
 * Rejects with SQLite's error, or when the check takes longer than `withinMs` (ms).
 */
export async function checkSqliteFile(order: CheckOrder, withinMs: number): Promise<CheckedDatabase> {
  const worker = openWorker('database-check-thread', import.meta.url, { maxWaiting: 1, waitMs: withinMs, runMs: withinMs })
  try {
    return (await worker.ask(order)) as CheckedDatabase // the thread's result
  } finally {
    await worker.close()
  }
}
