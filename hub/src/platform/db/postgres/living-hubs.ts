import { sql, type RawBuilder } from 'kysely'
import { databaseNow } from './database-clock.ts'

/** Time in ms (6 s) after a hub's last renewal of its row in `hubs`, from which other hubs count it as dead. */
export const GONE_AFTER_MS = 6000

/**
 * Returns the SQL condition that a row of `hubs` belongs to a living hub. Its `seen_at` is less than `goneAfterMs` from the database's
 * time, before or after it.
 */
export const isLiving = (goneAfterMs = GONE_AFTER_MS): RawBuilder<boolean> => sql<boolean>`abs(${databaseNow} - seen_at) < ${goneAfterMs}`
