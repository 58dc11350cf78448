import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { errorCode } from '../error-code.ts'
import { DatabaseUnusableError, type UnitOfWork } from './database.ts'

/**
 * Lock timeout of a migration, in ms (500): a migration that waits longer for a table lock fails and is repeated. Queries of running hubs
 * queue behind it. It is below PostgreSQL's `deadlock_timeout` of 1 s, so that a deadlock never ends a hub's query.
 */
const LOCK_TIMEOUT_MS = 500
const TRY_AGAIN_MS = 250
const GIVE_UP_AFTER_MS = 60_000
/** PostgreSQL error code lock_not_available: a migration waited for a table lock longer than the lock timeout. */
const LOCKED = '55P03'

/**
 * Sets a short PostgreSQL lock timeout in this transaction of migrations. A migration that waits for a lock then fails and is repeated,
 * instead of blocking the queries of running hubs.
 */
export async function yieldToHubs(unit: UnitOfWork): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(unit.sql)
}

/**
 * Runs `work`, and repeats it every 250 ms while it fails because another transaction holds a table lock (PostgreSQL `lock_timeout`).
 * Throws {@link DatabaseUnusableError} when that continues for `giveUpAfterMs` (ms), 1 min by default.
 */
export async function whenUnlocked(work: () => Promise<void>, giveUpAfterMs = GIVE_UP_AFTER_MS): Promise<void> {
  const startedAtMs = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (errorCode(error) !== LOCKED) throw error
      if (performance.now() - startedAtMs >= giveUpAfterMs)
        throw new DatabaseUnusableError(
          'Cannot upgrade the database: its tables are in use, for example by a backup; start the hub again after that',
          { cause: error },
        )
      await wait(TRY_AGAIN_MS)
    }
  }
}
