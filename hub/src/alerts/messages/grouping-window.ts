import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Selectable } from 'kysely'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import { groupMinutes } from './message-settings.ts'

type Row = Selectable<NoticeTable>

/** State of a notification that waits for the end of its user's grouping window. */
export const GROUPED = 'grouped'

const MINUTE_MS = 60_000

type WindowQuery = {
  readonly unit: UnitOfWork
  /** The user's settings. */
  readonly settings: Json | undefined
  readonly nowMs: number
}

/** Messages to queue now: each list of `causes` becomes one message, and the rate limit applies to `others`. */
type GroupedMessages = { readonly causes: readonly (readonly Row[])[]; readonly others: readonly Row[] }

/**
 * Applies a user's grouping window to notifications that could be sent now. They wait until the end of the open window, or begin one. At its
 * end, all become one message. `undefined` if the settings have no `groupMinutes`.
 */
export async function groupByWindow(
  { unit, settings, nowMs }: WindowQuery,
  sendable: readonly Row[],
): Promise<GroupedMessages | undefined> {
  const minutes = groupMinutes(settings)
  if (minutes === undefined) return undefined
  const [first] = sendable
  if (first === undefined) return { causes: [], others: [] }
  // A waiting notification that is due again marks the end of the window.
  if (sendable.some(({ state }) => state === GROUPED)) return { causes: [sendable], others: [] }
  const { owner } = first
  const open = await unit.sql
    .selectFrom('notices')
    .select(({ fn }) => fn.min<number | null>('due').as('end'))
    .where('owner', '=', owner)
    .where('state', '=', GROUPED)
    .executeTakeFirst()
  // An end that is further away means that the clock was set back or the setting was shortened.
  const due = Math.min(open?.end ?? Number.POSITIVE_INFINITY, nowMs + minutes * MINUTE_MS)
  const ids = sendable.map(({ id }) => id)
  await unit.sql
    .updateTable('notices')
    .set({ state: GROUPED, due })
    .where('owner', '=', owner)
    .where((is) => is.or([is('state', '=', GROUPED), is('id', 'in', ids)]))
    .execute()
  return { causes: [], others: [] }
}

/**
 * Makes the notifications due that wait for the end of a user's grouping window, and the later ones of their alerts. Call it after the
 * setting `groupMinutes` changed.
 */
export function endGroupingWindow(database: Database, owner: string, nowMs: number): Promise<void> {
  return database.write(async (unit) => {
    // Otherwise another hub could add a notification to the window that ends here.
    await unit.alone('notices')
    const waiting = unit.sql.selectFrom('notices').select('incident').where('owner', '=', owner).where('state', '=', GROUPED)
    await unit.sql
      .updateTable('notices')
      .set({ due: nowMs })
      .where('owner', '=', owner)
      .where((is) => is.or([is('state', '=', GROUPED), is.and([is('state', '=', 'new'), is('incident', 'in', waiting)])]))
      .execute()
  })
}
