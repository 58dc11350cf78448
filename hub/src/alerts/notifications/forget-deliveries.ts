import type { Database } from '../../platform/db/database.ts'

/** How long it is told what went out, and why. */
const KEPT_MS = 30 * 86_400_000

/** Removes deliveries that ended, and notices that were handed on, when they are too old. Gives how many; what still waits stays. */
export function forgetOldDeliveries(database: Database, nowMs: number): Promise<number> {
  return database.write(async ({ sql }) => {
    const before = nowMs - KEPT_MS
    const ended = await sql.deleteFrom('deliveries').where('at', '<', before).where('state', '<>', 'waiting').executeTakeFirst()
    const handedOn = await sql.deleteFrom('notices').where('at', '<', before).where('state', 'not in', ['new', 'held']).executeTakeFirst()
    return Number(ended.numDeletedRows) + Number(handedOn.numDeletedRows)
  }, 'process')
}
