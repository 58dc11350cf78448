import { sql as raw, type Selectable } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { isRepeat, openStates, REMINDER, repeats, WORSE } from './notice.ts'
import { loadReminderMinutes } from './recipient.ts'

type Row = Selectable<NoticeTable>

/**
 * Parameters for scheduling a user's reminders: transaction `unit`, records, the user's id `owner` and the time now (`nowMs`, epoch ms).
 */
type ReminderQuery = {
  readonly unit: UnitOfWork
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly owner: string
  readonly nowMs: number
}

const MINUTE_MS = 60_000
/** Maximum number of incidents whose due reminders one transaction stores: 500. The rest follow in the next transaction. */
const AT_ONCE = 500

/**
 * Resolves to the time of a user's next reminder, in epoch ms: `nowMs` plus the interval in the settings. Null if the settings have no
 * interval.
 */
async function nextReminder({ unit, records, owner, nowMs }: ReminderQuery): Promise<number | null> {
  const minutes = await loadReminderMinutes({ records, unit, owner })
  return minutes === undefined ? null : nowMs + minutes * MINUTE_MS
}

/** Schedules a reminder for incidents (by id) at the time `remind` (epoch ms). Ended, acknowledged and snoozed ones stay as they are. */
export async function scheduleReminders({ sql }: UnitOfWork, incidents: readonly string[], remind: number): Promise<void> {
  await sql
    .updateTable('incidents')
    .set({ remind })
    .where('id', 'in', incidents)
    .where('ended', 'is', null)
    .where('acknowledged', 'is', null)
    .execute()
}

/**
 * Changes the time of the next reminder of a user's active incidents, after the interval in the settings changed. Only incidents whose
 * "fired" or `worse` was sent, and that are neither acknowledged nor snoozed, are changed.
 */
export async function rescheduleReminders(query: ReminderQuery): Promise<void> {
  const { unit, owner } = query
  const remind = await nextReminder(query)
  await raw`update incidents set remind = ${remind} where owner = ${owner} and ended is null and acknowledged is null and exists
    (select 1 from notices as n where n.incident = incidents.id and n.transition in ('fired', ${WORSE}) and n.state = 'handed')`.execute(
    unit.sql,
  )
}

/** Reminder to store as a notification: the data of the incident's "fired" or `worse`, with the reminder's number in the transition. */
type Reminder = Pick<Row, 'incident' | 'transition' | 'owner' | 'system' | 'body'>

/**
 * Takes up to 500 due reminders, and schedules the next one of each incident if its user gets reminders. The end of a snooze also removes
 * its acknowledgement. Resolves to the reminders, which the transaction has to store as notifications. While an earlier reminder of an
 * incident still waits, it gets no further one.
 */
export async function takeDueReminders(query: Omit<ReminderQuery, 'owner'>): Promise<readonly Reminder[]> {
  const { unit, nowMs } = query
  const { rows } = await raw<Row & { readonly number: number; readonly waiting: number }>`
    select n.*, i.reminders + 1 as number, (select count(*) from notices as r where r.incident = i.id and r.transition like ${`${REMINDER}%`}
      and r.state in (${raw.join(openStates)})) as waiting from incidents as i join notices as n on n.incident = i.id and n.transition =
      case when exists (select 1 from notices as w where w.incident = i.id and w.transition = ${WORSE}) then ${WORSE} else 'fired' end
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
  // An earlier reminder may still wait, such as in a grouping window or for the end of quiet hours.
  return rows.flatMap(({ number, waiting, incident, owner, system, body }) =>
    waiting > 0 ? [] : [{ incident, owner, system, body, transition: `${REMINDER}${number}` }],
  )
}

/** Gives the state `quiet` to unsent reminders and escalations of incidents (by id), so that they are never sent. */
export async function dropRepeats({ sql }: UnitOfWork, incidents: readonly string[]): Promise<void> {
  if (incidents.length === 0) return
  await sql
    .updateTable('notices')
    .set({ state: 'quiet' })
    .where('incident', 'in', incidents)
    .where((is) => is.or(repeats.map((start) => is('transition', 'like', `${start}%`))))
    .where('state', 'in', openStates)
    .execute()
}

/**
 * Gives the state `quiet` to reminders and escalations in `due` whose incident was acknowledged or has ended, so that they are never sent.
 * Resolves to the rest.
 */
export async function withoutOutdated(unit: UnitOfWork, due: readonly Row[]): Promise<readonly Row[]> {
  const incidents = due.filter(isRepeat).map(({ incident }) => incident)
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
  await dropRepeats(unit, outdated)
  return due.filter((notice) => !isRepeat(notice) || isOpen.has(notice.incident))
}
