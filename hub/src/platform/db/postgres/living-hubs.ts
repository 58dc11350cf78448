import { sql, type RawBuilder } from 'kysely'
import { databaseNow } from './database-clock.ts'

/** A hub that did not renew its row for this long is gone. */
export const GONE_AFTER_MS = 6000

/** Rows of `hubs` that are living. A time in the future means that the database's clock was set back, so the age is unknown: a living hub renews its row soon. */
export const isLiving = (goneAfterMs = GONE_AFTER_MS): RawBuilder<boolean> => sql<boolean>`abs(${databaseNow} - seen_at) < ${goneAfterMs}`
