import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { errorCode } from '../error-code.ts'
import { DatabaseUnusableError, type UnitOfWork } from './database.ts'

/**
 * Queries of running hubs queue behind a migration that waits for a table. It is also shorter than PostgreSQL's `deadlock_timeout` of 1 s: of
 * a migration and a hub that wait for each other, the migration gives way.
 */
const LOCK_TIMEOUT_MS = 500
const TRY_AGAIN_MS = 250
const GIVE_UP_AFTER_MS = 60_000
/** PostgreSQL: lock_not_available. */
const LOCKED = '55P03'

/** Limits the time that migrations in this transaction wait for tables. */
export async function yieldToHubs(unit: UnitOfWork): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(unit.sql)
}

/** Runs the work again while other transactions use its tables. Throws {@link DatabaseUnusableError} when they do so for a minute. */
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
