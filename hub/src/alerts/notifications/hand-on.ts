import type { Selectable } from 'kysely'
import { conditionKind } from '../judging/condition-kinds.ts'
import { MANY } from '../incidents/down-together.ts'
import { parseNoticeBody } from '../incidents/notice.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { earliestDue, isDueAt } from '../../platform/db/due-time.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { allowed } from './allowance.ts'
import type { DeliveryStore } from './delivery-store.ts'
import { channelsOf } from './persons-channels.ts'
import { quietHoursOf } from './persons-quiet-hours.ts'

type Parts = {
  readonly database: Database
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly deliveries: Pick<DeliveryStore, 'put'>
  readonly clock: Clock
  /** Whether this hub can send email. */
  readonly sendsMail: () => Promise<boolean>
}

export type HandOn = {
  /** Queues deliveries for due notifications. Returns true if there may be more. */
  readonly run: () => Promise<boolean>
  /** Due time of the next notification, epoch milliseconds; undefined if there is none. */
  readonly nextDueMs: () => Promise<number | undefined>
  /** Makes a person's held notifications due now. Call it after their quiet hours changed. */
  readonly recheck: (owner: string) => Promise<void>
}

type Row = Selectable<NoticeTable>
type Change = Partial<Pick<NoticeTable, 'state' | 'due'>>

/** Notifications per transaction. */
const AT_ONCE = 500
const MINUTE_MS = 60_000
/** States before delivery; `held` waits for the end of quiet hours. */
const OPEN = ['new', 'held']

/**
 * Queues each notification exactly once for its owner's channels: delivery and state are stored in one transaction. Quiet hours hold
 * notifications; an incident that begins and ends in them is never sent. A rate limit per minute puts the excess into one digest.
 */
export function handOnNotices({ database, records, deliveries, clock, sendsMail }: Parts): HandOn {
  async function handOnTo(unit: UnitOfWork, owner: string, due: readonly Row[], mail: boolean): Promise<void> {
    const nowMs = clock.now()
    const open = inOrder(await withoutOver(unit, due))
    const quietFor = await quietHoursOf({ records, unit, owner, nowMs })
    const told: Row[] = []
    for (const notice of open) {
      const untilMs = quietFor(notice.system)
      if (untilMs === undefined) told.push(notice)
      else await mark(unit, [notice], { state: 'held', due: untilMs })
    }
    const { causes, others } = oneCause(told)
    const { single, together, rest, restDueMs } = allowed(others, await toldLately(unit, owner, nowMs), nowMs)
    await mark(unit, rest, { due: restDueMs })
    const messages = [...causes, ...single.map((notice) => [notice]), ...(together.length === 0 ? [] : [together])]
    const channels = messages.length === 0 ? [] : await channelsOf({ records, unit, owner, sendsMail: mail })
    await deliveries.put(
      unit,
      messages.flatMap((notices) => {
        const ids = notices.map(({ id }) => id)
        return channels.map((channel) => ({ ...channel, message: ids[0] ?? '', owner, notices: ids }))
      }),
    )
    await mark(unit, [...causes.flat(), ...single, ...together], { state: 'handed', due: nowMs })
  }

  return {
    async run() {
      const mail = await sendsMail()
      return database.write(async (unit) => {
        await unit.alone('notices')
        const due = await unit.sql
          .selectFrom('notices')
          .selectAll()
          .where('state', 'in', OPEN)
          .where(isDueAt('at', clock.now()))
          .orderBy('at')
          .orderBy('transition')
          .limit(AT_ONCE)
          .execute()
        for (const [owner, notices] of Map.groupBy(due, (notice) => notice.owner)) await handOnTo(unit, owner, notices, mail)
        return due.length === AT_ONCE
      })
    },

    async nextDueMs() {
      const { due } = await database.kysely
        .selectFrom('notices')
        .select(earliestDue('at', clock.now()).as('due'))
        .where('state', 'in', OPEN)
        .executeTakeFirstOrThrow()
      return due ?? undefined
    },

    recheck: (owner) =>
      database.write(async ({ sql }) => {
        await sql.updateTable('notices').set({ due: clock.now() }).where('owner', '=', owner).where('state', '=', 'held').execute()
      }),
  }
}

/**
 * Groups notifications with one cause into one message. One group is systems that went down, or came back, together. Another is containers
 * or services of one system that failed, or recovered, together.
 */
function oneCause(told: readonly Row[]): { readonly causes: readonly (readonly Row[])[]; readonly others: readonly Row[] } {
  const byCause = Map.groupBy(told, causeOf)
  byCause.delete('')
  const causes = [...byCause].flatMap(([cause, rows]) => (rows.length >= (cause.startsWith(FALL) ? MANY : 2) ? [rows] : []))
  const grouped = new Set(causes.flat())
  return { causes, others: told.filter((notice) => !grouped.has(notice)) }
}

const FALL = 'fall'

/** Grouping key; `''` if the notification is not grouped. */
function causeOf({ transition, body, system }: Row): string {
  const kind = parseNoticeBody(body)?.kind
  if (kind === 'Status') return `${FALL} ${transition}`
  return kind !== undefined && conditionKind(kind) !== undefined ? `${kind} ${transition} ${system}` : ''
}

/** Sorts by time, with the end of an incident after its beginning. After the clock is set back, the end may have the earlier time. */
function inOrder(due: readonly Row[]): readonly Row[] {
  const begins = new Map(due.flatMap(({ transition, incident, at }) => (transition === 'fired' ? [[incident, at]] : [])))
  const timeOf = ({ transition, incident, at }: Row): number => (transition === 'resolved' ? Math.max(at, begins.get(incident) ?? at) : at)
  return due.toSorted((one, other) => timeOf(one) - timeOf(other) || (one.transition < other.transition ? -1 : 1))
}

/** Removes incidents that ended before their beginning was sent, and marks their notifications `quiet`. */
async function withoutOver(unit: UnitOfWork, due: readonly Row[]): Promise<readonly Row[]> {
  const ends = due.filter(({ transition }) => transition === 'resolved')
  const held = due.filter(({ state, transition }) => state === 'held' && transition === 'fired')
  const begins = ends.length === 0 ? [] : await heldBeginnings(unit, ends)
  const closed = held.length === 0 ? new Set<string>() : await closedIncidents(unit, held)
  const over = new Set([...begins.map(({ incident }) => incident), ...closed])
  const isOver = ({ incident }: Row): boolean => over.has(incident)
  await mark(unit, [...begins, ...ends.filter(isOver), ...held.filter(isOver)], { state: 'quiet' })
  return due.filter((notice) => !isOver(notice))
}

const heldBeginnings = ({ sql }: UnitOfWork, ends: readonly Row[]): Promise<readonly Row[]> =>
  sql
    .selectFrom('notices')
    .selectAll()
    .where('state', '=', 'held')
    .where('transition', '=', 'fired')
    .where(
      'incident',
      'in',
      ends.map(({ incident }) => incident),
    )
    .execute()

/** Ids of held incidents that were closed: the alert was deleted or the system paused. */
async function closedIncidents({ sql }: UnitOfWork, held: readonly Row[]): Promise<ReadonlySet<string>> {
  const rows = await sql
    .selectFrom('incidents')
    .select('id')
    .where('ending', '=', 'closed')
    .where(
      'id',
      'in',
      held.map(({ incident }) => incident),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

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

/** Number of notifications that were sent to a person in the last minute. */
async function toldLately({ sql }: UnitOfWork, owner: string, nowMs: number): Promise<number> {
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
