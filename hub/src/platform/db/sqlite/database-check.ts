import { openWorker } from '../../process/worker.ts'

/** Order to check a SQLite file. `isInUse`: true while a hub has it open; otherwise the file must have no WAL. */
export type CheckOrder = { readonly path: string; readonly isInUse: boolean }

/** Result of the check. `damage` is the first problem that SQLite found; `states` has the values of `hub_state` by their names. */
export type CheckedDatabase = { readonly damage: string | undefined; readonly states: { readonly [name: string]: string } }

/**
 * Runs `pragma quick_check` on a SQLite file in a thread and reads its schema version, without changing any file. Rejects with the error of
 * SQLite, and when the check takes longer than `withinMs`.
 */
export async function checkSqliteFile(order: CheckOrder, withinMs: number): Promise<CheckedDatabase> {
  const worker = openWorker('database-check-thread', import.meta.url, { maxWaiting: 1, waitMs: withinMs, runMs: withinMs })
  try {
    return (await worker.ask(order)) as CheckedDatabase // the thread's result
  } finally {
    await worker.close()
  }
}
