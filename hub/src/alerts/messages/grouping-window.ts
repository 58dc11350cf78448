import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Selectable } from 'kysely'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import { groupMinutes } from './message-settings.ts'

type Row = Selectable<NoticeTable>

/**
 * State (`grouped`) of a stored notification that waits for the end of its user's grouping window, in which notifications are collected for
 * one message.
 */
export const GROUPED = 'grouped'

const MINUTE_MS = 60_000

type WindowQuery = {
  readonly unit: UnitOfWork
  /**
   * Settings of the user whose notifications are grouped; `groupMinutes` is the length of the window. `undefined` if none are stored or
   * readable.
   */
  readonly settings: Json | undefined
  readonly nowMs: number
}

/**
 * Holds a user's due notifications back until the grouping window (setting `groupMinutes`) ends, and opens a window if none is open.
 * Resolves to two lists to send now: those for which `isUrgent` is true, and, at the window's end, those for one message. Without the
 * setting, the first list has all.
 */
export async function groupByWindow(
  { unit, settings, nowMs }: WindowQuery,
  notices: readonly Row[],
  isUrgent: (notice: Row) => boolean,
): Promise<readonly [urgent: readonly Row[], together: readonly Row[]]> {
  const minutes = groupMinutes(settings)
  if (minutes === undefined) return [notices, []]
  const urgent = notices.filter(isUrgent)
  const sendable = notices.filter((notice) => !isUrgent(notice))
  const [first] = sendable
  // A waiting notification that is due again marks the end of the window.
  if (first === undefined || sendable.some(({ state }) => state === GROUPED)) return [urgent, sendable]
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
  return [urgent, []]
}

/**
 * Makes due now a user's notifications that wait for the end of the grouping window, and `new` ones of the same incidents. Call it after
 * the user's setting `groupMinutes` changed.
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
