import type { Database } from '../../platform/db/database.ts'

/** Retention of finished deliveries and sent notifications. */
const KEPT_MS = 30 * 86_400_000

/** Deletes finished deliveries and sent notifications that are too old. Returns how many; queued ones stay. */
export function forgetOldDeliveries(database: Database, nowMs: number): Promise<number> {
  return database.write(async ({ sql }) => {
    const before = nowMs - KEPT_MS
    const ended = await sql.deleteFrom('deliveries').where('at', '<', before).where('state', '<>', 'waiting').executeTakeFirst()
    const handedOn = await sql.deleteFrom('notices').where('at', '<', before).where('state', 'not in', ['new', 'held']).executeTakeFirst()
    return Number(ended.numDeletedRows) + Number(handedOn.numDeletedRows)
  }, 'process')
}
