import type { Json } from '@vedette/protocol/wire/stats-json'
import { conditionKind } from '../judging/alert-kinds.ts'
import { sql as raw, type Kysely, type Selectable } from 'kysely'
import { OUTAGE_SYSTEMS } from '../incidents/down-together.ts'
import { ESCALATED, noteIncidentChange } from '../incidents/incident-access.ts'
import { groupByWindow } from '../messages/grouping-window.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { earliestDue, isDueAt } from '../../platform/db/due-time.ts'
import type { NoticeTable, Tables } from '../../platform/db/schema.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { whereReadable } from '../../records/engine/record-table-store.ts'
import { viewableIds } from '../../records/engine/access.ts'
import type { DeliveryStore } from './delivery-store.ts'
import { takeDueEscalations, type EscalationNotice } from './escalation/due-escalations.ts'
import { rescheduleEscalation, startEscalation } from './escalation/escalation-times.ts'
import { choiceWithSteps } from './escalation/step-channels.ts'
import {
  isUrgent,
  keptBackStates,
  noticeBodySchema,
  NOTICES,
  noticeTransitions,
  openStates,
  WORSE,
  type NewNotice,
  type Notice,
  type NoticeBody,
} from './notice.ts'
import { withoutOver } from './ended-incidents.ts'
import { withoutUnwanted } from './notification-rules.ts'
import { channelsOf, hasSetting, loadPreferences, quietHoursOf, reminderMinutes } from './recipient.ts'
import { rescheduleReminders, scheduleReminders, takeDueReminders, withoutOutdated } from './reminders.ts'
import { withoutSilenced } from './silenced-notices.ts'
import { parseJson } from '../../platform/json.ts'
import { randomId } from '../../platform/secrets/random-id.ts'

type Row = Selectable<NoticeTable>

/**
 * Stores a notification in the transaction that changes the alert. It is sent at `dueMs` (epoch ms) or later; default: `atMs`, the time of
 * the change.
 */
export async function putNotice({ sql, emit }: UnitOfWork, { atMs, body, ...notice }: NewNotice, dueMs = atMs): Promise<void> {
  const id = randomId(20)
  await sql
    .insertInto(NOTICES)
    .values({ ...notice, id, at: atMs, state: 'new', due: dueMs, body: JSON.stringify(body) })
    .execute()
  emit({ action: 'create', collection: NOTICES, record: { id } })
}

/**
 * Parses a database row of a notification: the transition (such as `fired`, without a number), the data for its text (`body`) and the
 * system's id. `undefined` if the row is damaged or its transition is unknown.
 */
export function parseNotice({
  transition: text,
  body,
  system,
}: Pick<Row, 'transition' | 'body' | 'system'>): Pick<Notice, 'transition' | 'body' | 'system'> | undefined {
  const [name] = text.split('-')
  const transition = noticeTransitions.find((one) => one === name)
  try {
    const parsed = noticeBodySchema.safeParse(parseJson(body)).data
    return transition === undefined || parsed === undefined ? undefined : { transition, body: parsed, system }
  } catch {
    return undefined
  }
}

type Parts = {
  readonly engine: Engine
  readonly deliveries: Pick<DeliveryStore, 'put'>
  /** Returns true when a mail server is configured, so that the hub can send email notifications. */
  readonly sendsMail: () => boolean
}

export type NoticeOutbox = {
  /**
   * Stores due reminders and steps of escalations as notifications, and queues messages about up to 500 due ones for their users' channels.
   * Resolves to true if more notifications may be due.
   */
  readonly enqueueDue: () => Promise<boolean>
  /**
   * Resolves to the time, in epoch ms, when the next stored notification, reminder or step of an escalation is due. `undefined` if there is
   * none.
   */
  readonly nextDueMs: () => Promise<number | undefined>
  /** Makes those notifications of a user due now that wait for the end of quiet hours. Call it after the user's quiet hours changed. */
  readonly recheck: (owner: string) => Promise<void>
  /** Schedules the reminders of a user's firing alerts by the settings. Call it after the interval of reminders in the settings changed. */
  readonly reschedule: (owner: string) => Promise<void>
  /** Schedules the next steps for a user's active alerts by the settings. Call it after the escalation in the settings changed. */
  readonly rescheduleSteps: (owner: string) => Promise<void>
}

/**
 * Stored notification from which a reminder or escalation is made: incident, owner, system, and the JSON text `body` of the earlier one.
 */
type Repeat = Omit<EscalationNotice, 'more'>

type Change = Partial<Pick<NoticeTable, 'state' | 'due'>>

/** Maximum number of due notifications that one database transaction queues for delivery to channels: 500. */
const AT_ONCE = 500
const MINUTE_MS = 60_000

/**
 * Creates the queue of notifications, which passes each one at most once to its user's channels. Quiet hours delay notifications; an alert
 * that fires and ends within them is not reported. Nor is one whose system the user may no longer view. Notification rules and outages drop
 * others. Those with a common cause, in a grouping window, or beyond 10 messages a minute are combined.
 */
export function noticeOutbox({ engine, deliveries, sendsMail }: Parts): NoticeOutbox {
  const { database, store: records, clock } = engine

  /**
   * Gives the final state `quiet` to notifications about systems that the user `owner` may no longer view, so that they are never sent.
   * Resolves to the others; to all if the access cannot be read, since the delivery checks it again.
   */
  async function withoutHidden(unit: UnitOfWork, owner: string, notices: readonly Row[]): Promise<readonly Row[]> {
    const isHidden = await whereReadable(async () => {
      const actor = await records.load('users', owner, unit)
      if (actor === undefined) return () => true
      const ids = await viewableIds(engine, { actor, collection: 'systems', ids: notices.map(({ system }) => system) }, unit)
      return ({ system }: Row) => !ids.has(system)
    })
    // The delivery checks access again.
    if (isHidden === undefined) return notices
    await mark(unit, notices.filter(isHidden), { state: 'quiet' })
    return notices.filter((notice) => !isHidden(notice))
  }

  async function putDueReminders(unit: UnitOfWork): Promise<void> {
    const lasted = ({ beganMs }: NoticeBody) => ({ lastedMinutes: Math.max(0, Math.round((clock.now() - beganMs) / MINUTE_MS)) })
    for (const reminder of await takeDueReminders({ unit, records, nowMs: clock.now() })) await putRepeat(unit, reminder, lasted)
  }

  /**
   * Stores a reminder or escalation with the data of the earlier notification (`body`, JSON text), and the fields that `more` returns for
   * it. Does nothing if `body` is damaged.
   */
  async function putRepeat(unit: UnitOfWork, { body, ...notice }: Repeat, more: (body: NoticeBody) => Partial<NoticeBody>): Promise<void> {
    const parsed = parseNotice({ body, ...notice })?.body
    if (parsed !== undefined) await putNotice(unit, { ...notice, atMs: clock.now(), body: { ...parsed, ...more(parsed) } })
  }

  async function putDueEscalations(unit: UnitOfWork): Promise<void> {
    for (const { more, ...notice } of await takeDueEscalations({ engine, unit, sendsMail: sendsMail(), nowMs: clock.now() }))
      await putRepeat(unit, notice, () => more)
  }

  async function enqueueFor(unit: UnitOfWork, owner: string, due: readonly Row[]): Promise<void> {
    const nowMs = clock.now()
    const active = due.some(isOther) ? await withoutOutdated(unit, due) : due
    const visible = await withoutHidden(unit, owner, active.some(mayBeOver) ? await withoutOver(unit, active) : active)
    const mayBeSilenced = visible.some(isKeptBack) || (await hasOutage(unit, owner))
    const open = inOrder(mayBeSilenced ? await withoutSilenced({ engine, unit, owner }, visible) : visible)
    const awake = await withoutQuietHours(unit, owner, open)
    if (awake.length === 0) return
    const channels = await channelsOf({ records, unit, owner, sendsMail: sendsMail() })
    const preferences = await loadPreferences({ records, unit, owner })
    const settings = preferences?.['settings']
    const [apart, grouped] = await readyToSend(unit, settings, awake)
    const current = [...apart, ...grouped]
    const isChosen = current.some(isOther) || hasSetting(settings, 'notificationRules')
    const choice = isChosen ? await choiceWithSteps({ engine, unit, preferences, channels }, current) : undefined
    // Nothing can be sent without channels, but other people may be informed later.
    const sendable = choice === undefined || channels.length === 0 ? current : await withoutUnwanted(unit, choice, current)
    const { causes, others } = byCommonCause(sendable, grouped)
    const { single, together, rest, restDueMs } = splitByRateLimit(others, await countRecent(unit, owner, nowMs), nowMs)
    await mark(unit, rest, { due: restDueMs })
    const messages = [...causes, ...single.map((notice) => [notice]), ...(together.length === 0 ? [] : [together])]
    const queued = messages.flat()
    await deliveries.put(
      unit,
      messages.flatMap((notices) =>
        channels.flatMap((channel) => {
          const ids = notices.flatMap((notice) => ((choice?.(notice) ?? channels).includes(channel) ? [notice.id] : []))
          return ids.length === 0 ? [] : [{ ...channel, message: notices[0]?.id ?? '', owner, notices: ids }]
        }),
      ),
    )
    await markHanded(unit, queued, nowMs)
    await scheduleRepeats(unit, settings, queued)
  }

  /** Holds back notifications about systems that are in their user's quiet hours now, until these end. Resolves to the rest. */
  async function withoutQuietHours(unit: UnitOfWork, owner: string, notices: readonly Row[]): Promise<readonly Row[]> {
    const quietFor = await quietHoursOf({ records, unit, owner, nowMs: clock.now() })
    const awake: Row[] = []
    for (const notice of notices) {
      const untilMs = quietFor(notice.system)
      if (untilMs === undefined) awake.push(notice)
      else await mark(unit, [notice], { state: 'held', due: untilMs })
    }
    return awake
  }

  /**
   * Resolves to two lists of notifications to send now: those to send separately, and those to combine at the end of the user's grouping
   * window. The rest waits for that end.
   */
  const readyToSend = async (unit: UnitOfWork, settings: Json | undefined, awake: readonly Row[]) =>
    hasSetting(settings, 'groupMinutes')
      ? await groupByWindow({ unit, settings, nowMs: clock.now() }, awake, isUrgent)
      : ([awake, []] as const)

  /**
   * Schedules the first reminder and the first escalation step for the incidents of those notifications `queued` that are "fired" or
   * `worse`. Does nothing that the user's settings do not enable.
   */
  async function scheduleRepeats(unit: UnitOfWork, settings: Json | undefined, queued: readonly Row[]): Promise<void> {
    const began = queued.filter(({ transition }) => transition === 'fired' || transition === WORSE).map(({ incident }) => incident)
    if (began.length === 0 || settings === undefined) return
    const minutes = reminderMinutes(settings)
    if (minutes !== undefined) await scheduleReminders(unit, began, clock.now() + minutes * MINUTE_MS)
    if (hasSetting(settings, 'escalation')) await startEscalation(unit, began, settings, clock.now())
  }

  return {
    enqueueDue: () =>
      database.write(async (unit) => {
        await unit.alone('notices')
        const { remind, escalate } = await nextRepeats(unit.sql, clock.now())
        if (remind !== null && remind <= clock.now()) await putDueReminders(unit)
        if (escalate !== null && escalate <= clock.now()) await putDueEscalations(unit)
        const due = await unit.sql
          .selectFrom('notices')
          .selectAll()
          .where('state', 'in', openStates)
          .where(isDueAt('at', clock.now()))
          .orderBy('at')
          .orderBy('transition')
          .limit(AT_ONCE)
          .execute()
        for (const [owner, notices] of Map.groupBy(due, (notice) => notice.owner)) await enqueueFor(unit, owner, notices)
        return due.length === AT_ONCE
      }),

    async nextDueMs() {
      const { due } = await database.kysely
        .selectFrom('notices')
        .select(earliestDue('at', clock.now()).as('due'))
        .where('state', 'in', openStates)
        .executeTakeFirstOrThrow()
      const { remind, escalate } = await nextRepeats(database.kysely, clock.now())
      const times = [due, remind, escalate].filter((one) => one !== null)
      return times.length === 0 ? undefined : Math.min(...times)
    },

    recheck: (owner) =>
      database.write(async ({ sql }) => {
        await sql.updateTable('notices').set({ due: clock.now() }).where('owner', '=', owner).where('state', '=', 'held').execute()
      }),

    reschedule: (owner) => database.write((unit) => rescheduleReminders({ unit, records, owner, nowMs: clock.now() })),

    rescheduleSteps: (owner) =>
      database.write(async (unit) => {
        await unit.alone('notices')
        await rescheduleEscalation(unit, owner, (await loadPreferences({ records, unit, owner }))?.['settings'])
      }),
  }
}

type Grouped = { readonly causes: readonly (readonly Row[])[]; readonly others: readonly Row[] }

/**
 * Groups a user's notifications; each list in `causes` becomes one message. Such a list is `together` (from a grouping window), 3 or more
 * systems down or up, or 2 or more equal container or service changes. `others` have no common cause.
 */
function byCommonCause(notices: readonly Row[], together: readonly Row[]): Grouped {
  const byCause = Map.groupBy(notices, (notice) => (together.includes(notice) ? WINDOW : causeOf(notice)))
  byCause.delete('')
  const causes = [...byCause].flatMap(([cause, rows]) => (rows.length >= leastOf(cause) ? [rows] : []))
  const grouped = new Set(causes.flat())
  return { causes, others: notices.filter((notice) => !grouped.has(notice)) }
}

const leastOf = (cause: string): number => (cause === WINDOW ? 1 : cause.startsWith(FALL) ? OUTAGE_SYSTEMS : 2)

const WINDOW = 'window'
const FALL = 'fall'

/**
 * Returns a key by which notifications are combined, such as `fall fired` for systems that went down. For containers and services it has
 * kind, transition and system. `''` for all others, which are not combined by cause.
 */
function causeOf(row: Row): string {
  const { transition, system } = row
  const kind = parseNotice(row)?.body.kind
  if (isOther(row)) return ''
  if (kind === 'Status') return `${FALL} ${transition}`
  return kind !== undefined && conditionKind(kind) !== undefined ? `${kind} ${transition} ${system}` : ''
}

/**
 * Returns notifications sorted by time, but the "fired" of an incident always before its `worse` and "resolved". After the clock was set
 * back, a "resolved" may have an earlier time.
 */
export function inOrder(due: readonly Row[]): readonly Row[] {
  const begins = new Map(due.flatMap(({ transition, incident, at }) => (transition === 'fired' ? [[incident, at]] : [])))
  const timeOf = ({ transition, incident, at }: Row): number => (transition === 'fired' ? at : Math.max(at, begins.get(incident) ?? at))
  return due.toSorted((one, other) => timeOf(one) - timeOf(other) || ranks.indexOf(one.transition) - ranks.indexOf(other.transition))
}

/**
 * List of transitions of an alert (`fired`, `worse`, `resolved`) in the order in which notifications of the same time are sent. Reminders
 * and escalations are not listed and come first.
 */
const ranks: readonly string[] = ['fired', WORSE, 'resolved']

/** Returns true for a notification whose transition is not `fired`, `worse` or `resolved`: a reminder, or one about an escalation. */
const isOther = ({ transition }: Row): boolean => !ranks.includes(transition)

/** Resolves to true if an alert `Status` of the user is pending or firing, which may explain other alerts. */
async function hasOutage({ sql }: UnitOfWork, owner: string): Promise<boolean> {
  const { rows } = await raw<{ id: string }>`select a.id from alert_states as s join alerts as a on a.id = s.alert
    where a."user" = ${owner} and a.name = 'Status' limit 1`.execute(sql)
  return rows.length > 0
}

type NextRepeats = { readonly remind: number | null; readonly escalate: number | null }

/**
 * Resolves to the earliest times at which a reminder (`remind`) or escalation step (`escalate`) of any user is due; reports of an
 * escalation's end count. Epoch ms; null for none. A step from before the clock was set back counts as due at `nowMs`.
 */
async function nextRepeats(sql: Kysely<Tables>, nowMs: number): Promise<NextRepeats> {
  const { rows } = await raw<NextRepeats>`select (select min(remind) from incidents where remind is not null) as remind,
    (select min(case when unanswered > ${nowMs} then ${nowMs} else escalate end) from incidents
    where escalate is not null and (acknowledged is null or ended is not null)) as escalate`.execute(sql)
  return rows[0] ?? { remind: null, escalate: null }
}

const isKeptBack = ({ state }: Row): boolean => keptBackStates.includes(state)

/**
 * Returns true for a notification whose alert may have ended before it is sent, which must be checked. That is each except a "fired" in the
 * state `new`.
 */
const mayBeOver = ({ transition, state }: Row): boolean => transition !== 'fired' || state !== 'new'

async function mark({ sql }: UnitOfWork, notices: readonly Row[], change: Change): Promise<void> {
  if (notices.length === 0) return
  await sql
    .updateTable('notices')
    .set(change)
    .where(
      'id',
      'in',
      notices.map(({ id }) => id),
    )
    .execute()
}

/** Gives the final state `handed` to notifications that were queued for delivery. From now on, escalated incidents have a further reader. */
async function markHanded(unit: UnitOfWork, notices: readonly Row[], nowMs: number): Promise<void> {
  await mark(unit, notices, { state: 'handed', due: nowMs })
  for (const { incident, transition } of notices) if (transition.startsWith(ESCALATED)) noteIncidentChange(unit, incident)
}

/**
 * Resolves to the number of a user's notifications that were queued for delivery in the minute before `nowMs` (epoch ms), for the rate
 * limit.
 */
async function countRecent({ sql }: UnitOfWork, owner: string, nowMs: number): Promise<number> {
  const { count } = await sql
    .selectFrom('notices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .where('state', '=', 'handed')
    .where('due', '>', nowMs - MINUTE_MS)
    // A later time means that the clock was set back, so the age is unknown.
    .where('due', '<=', nowMs)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Maximum number of messages per user and minute that report one notification each: 10. Above it, notifications are combined into one
 * message.
 */
export const MOST_A_MINUTE = 10

/**
 * Due notifications of a user, split by the rate limit. `single` are sent one by one, `together` in one message; `rest` waits until
 * `restDueMs` (epoch ms).
 */
export type RateLimitedNotices<Notice> = {
  readonly single: readonly Notice[]
  readonly together: readonly Notice[]
  readonly rest: readonly Notice[]
  readonly restDueMs: number
}

/**
 * Splits a user's due notifications by the limit of 10 messages a minute: single ones, ones to combine, and ones for later. `recent` is the
 * number queued for sending in the last minute; above 10, a combined message was sent, so the excess waits a minute.
 */
export function splitByRateLimit<Notice>(notices: readonly Notice[], recent: number, nowMs: number): RateLimitedNotices<Notice> {
  const room = Math.max(0, MOST_A_MINUTE - recent)
  const [single, others] = [notices.slice(0, room), notices.slice(room)]
  // More than the limit means that a digest was sent. There is at most one digest a minute.
  const hadTogether = recent > MOST_A_MINUTE
  return { single, together: hadTogether ? [] : others, rest: hadTogether ? others : [], restDueMs: nowMs + MINUTE_MS }
}
