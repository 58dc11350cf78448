import { sql as raw, type Kysely, type Selectable } from 'kysely'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable, Tables } from '../../platform/db/schema.ts'
import { isJsonObject } from '../../platform/json.ts'
import { whereReadable } from '../../records/engine/record-table-store.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { openStates } from './notice-states.ts'

type Row = Selectable<NoticeTable>

/** User (by id) whose reminders are scheduled, in the transaction `unit` at the time `nowMs` (epoch ms). */
type ReminderQuery = {
  readonly unit: UnitOfWork
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly owner: string
  readonly nowMs: number
}

const MINUTE_MS = 60_000
/** Minimum and maximum number of minutes between two reminders of one incident: 5 minutes and one day. */
const FEWEST_MINUTES = 5
const MOST_MINUTES = 1440
/** Maximum number of incidents of which one transaction takes the reminders: 500. */
const AT_ONCE = 500

/** Start of the transition of a reminder. Its number follows, because an incident has at most one notification for each transition. */
const REMINDER = 'reminder-'

/** Returns true for a notification that repeats the "fired" of an incident. */
export const isReminder = ({ transition }: Pick<Row, 'transition'>): boolean => transition.startsWith(REMINDER)

/**
 * Returns the minutes between reminders (5 to 1,440) from a user's settings, `remindMinutes`. `undefined` for any other value: the user
 * gets no reminders.
 */
export function reminderMinutes(settings: Json | undefined): number | undefined {
  const minutes = isJsonObject(settings) ? settings['remindMinutes'] : undefined
  return typeof minutes === 'number' && minutes >= FEWEST_MINUTES && minutes <= MOST_MINUTES ? minutes : undefined
}

/**
 * Resolves to the time of the next reminder after `nowMs`, by the user's settings. Null if the user gets none or the settings cannot be
 * read.
 */
async function nextReminder({ unit, records, owner, nowMs }: ReminderQuery): Promise<number | null> {
  // Settings that cannot be read must not block notifications to other people.
  const [record] = (await whereReadable(() => records.loadWhere('user_settings', { user: owner }, unit))) ?? []
  const minutes = reminderMinutes(record?.['settings'])
  return minutes === undefined ? null : nowMs + minutes * MINUTE_MS
}

/**
 * Schedules the first reminder of those incidents (by id) whose "fired" was just queued for sending, if the user gets reminders. Ended and
 * acknowledged incidents get none.
 */
export async function scheduleReminders(query: ReminderQuery, incidents: readonly string[]): Promise<void> {
  const remind = incidents.length === 0 ? null : await nextReminder(query)
  if (remind === null) return
  await query.unit.sql
    .updateTable('incidents')
    .set({ remind })
    .where('id', 'in', incidents)
    .where('ended', 'is', null)
    .where('acknowledged', 'is', null)
    .execute()
}

/**
 * Schedules the reminders of a user's incidents by changed settings. Ended, acknowledged and snoozed incidents, and those whose "fired" was
 * not queued for sending, stay as they are.
 */
export async function rescheduleReminders(query: ReminderQuery): Promise<void> {
  const { unit, owner } = query
  const remind = await nextReminder(query)
  await raw`update incidents set remind = ${remind} where owner = ${owner} and ended is null and acknowledged is null and exists
    (select 1 from notices as n where n.incident = incidents.id and n.transition = 'fired' and n.state = 'handed')`.execute(unit.sql)
}

/** Resolves to the time of the earliest reminder of all users, in epoch ms; `undefined` if there is none. */
export async function nextReminderMs(sql: Kysely<Tables>): Promise<number | undefined> {
  const { remind } = await sql
    .selectFrom('incidents')
    .select(({ fn }) => fn.min<number | null>('remind').as('remind'))
    .where('remind', 'is not', null)
    .executeTakeFirstOrThrow()
  return remind ?? undefined
}

/** Reminder to store as a notification: the data of the incident's "fired", with the reminder's number in the transition. */
type Reminder = Pick<Row, 'incident' | 'transition' | 'owner' | 'system' | 'body'>

/**
 * Takes up to 500 due reminders, and schedules the next one of each incident if its user gets reminders. The end of a snooze also removes
 * its acknowledgement. Resolves to the reminders, which the transaction has to store as notifications.
 */
export async function takeDueReminders(query: Omit<ReminderQuery, 'owner'>): Promise<readonly Reminder[]> {
  const { unit, nowMs } = query
  const { rows } = await raw<Row & { readonly number: number }>`
    select n.*, i.reminders + 1 as number from incidents as i join notices as n on n.incident = i.id and n.transition = 'fired'
    where i.remind <= ${nowMs} and i.ended is null order by i.remind limit ${AT_ONCE}`.execute(unit.sql)
  for (const [owner, some] of Map.groupBy(rows, (row) => row.owner)) {
    const remind = await nextReminder({ ...query, owner })
    await unit.sql
      .updateTable('incidents')
      .set((is) => ({ remind, reminders: is('reminders', '+', 1), acknowledged: null, acknowledger: '', note: '', snoozed: null }))
      .where(
        'id',
        'in',
        some.map(({ incident }) => incident),
      )
      .execute()
  }
  // Incidents that ended, and those whose "fired" was deleted, have no reminders any more.
  if (rows.length < AT_ONCE) await unit.sql.updateTable('incidents').set({ remind: null }).where('remind', '<=', nowMs).execute()
  return rows.map(({ number, incident, owner, system, body }) => ({ incident, owner, system, body, transition: `${REMINDER}${number}` }))
}

/** Gives the reminders of incidents (by id) that wait to be sent the state `quiet`, so that they are never sent. */
export async function dropReminders({ sql }: UnitOfWork, incidents: readonly string[]): Promise<void> {
  if (incidents.length === 0) return
  await sql
    .updateTable('notices')
    .set({ state: 'quiet' })
    .where('incident', 'in', incidents)
    .where('transition', 'like', `${REMINDER}%`)
    .where('state', 'in', openStates)
    .execute()
}

/**
 * Removes reminders of incidents that were acknowledged or have ended since from the due notifications, and stores that they are not sent.
 * Resolves to all other ones.
 */
export async function withoutOutdated(unit: UnitOfWork, due: readonly Row[]): Promise<readonly Row[]> {
  const incidents = due.filter(isReminder).map(({ incident }) => incident)
  if (incidents.length === 0) return due
  const open = await unit.sql
    .selectFrom('incidents')
    .select('id')
    .where('id', 'in', incidents)
    .where('ended', 'is', null)
    .where('acknowledged', 'is', null)
    .execute()
  const isOpen = new Set(open.map(({ id }) => id))
  const outdated = incidents.filter((incident) => !isOpen.has(incident))
  await dropReminders(unit, outdated)
  return due.filter((notice) => !isReminder(notice) || isOpen.has(notice.incident))
}
