import { sql as raw, type Selectable } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { NoticeTable } from '../../platform/db/schema.ts'
import { GROUPED } from '../messages/grouping-window.ts'
import { isRepeat, keptBackStates, openStates, WORSE } from './notice.ts'

type Row = Selectable<NoticeTable>

/**
 * Resolves to the ids of those `worse` notifications (a warning became critical) that must not be sent, because their alert has ended. The
 * "fired" was never sent, the "resolved" was sent already, or they were kept back (as by quiet hours).
 */
async function outdatedRises({ sql }: UnitOfWork, rises: readonly Row[]): Promise<ReadonlySet<string>> {
  const incidents = rises.map(({ incident }) => incident)
  const { rows } = await raw<{ id: string; first: string; last: string | null }>`
    select i.id, n.state as first, r.state as last from incidents as i join notices as n on n.incident = i.id and n.transition = 'fired'
      left join notices as r on r.incident = i.id and r.transition = 'resolved'
    where i.ended is not null and i.id in (${raw.join(incidents)})`.execute(sql)
  const ended = new Map(rows.map(({ id, ...states }) => [id, states]))
  const isOutdated = ({ incident, state }: Row): boolean => {
    const states = ended.get(incident)
    if (states === undefined) return false
    // In a grouping window, the rise waits with its "resolved", so it is sent although a rule kept the warning back.
    return (states.first === 'quiet' && state !== GROUPED) || states.last === 'handed' || keptBackStates.includes(state)
  }
  return new Set(rises.filter(isOutdated).map(({ id }) => id))
}

/**
 * Resolves to the ids of those incidents of the notifications `held` that ended without a "resolved". That happens when the alert is
 * deleted or the system is paused.
 */
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

/**
 * Removes notifications of alerts that ended before their "fired" was sent, and outdated `worse` ones, by the state `quiet`. A "resolved"
 * or `worse` whose "fired" is not due yet is postponed to that time. Resolves to the rest of `due`.
 */
export async function withoutOver(unit: UnitOfWork, due: readonly Row[]): Promise<readonly Row[]> {
  const later = due.filter(({ transition }) => transition === 'resolved' || transition === WORSE)
  const begins = later.length === 0 ? [] : await openBeginnings(unit, later)
  const ended = new Set(due.flatMap(({ transition, incident }) => (transition === 'resolved' ? [incident] : [])))
  const unsent = begins.filter((begin) => isKeptBack(begin) && ended.has(begin.incident))
  const kept = due.filter((notice) =>
    notice.state === GROUPED ? ['fired', WORSE].includes(notice.transition) : isKeptBack(notice) && notice.transition === 'fired',
  )
  const closed = kept.length === 0 ? new Set<string>() : await closedIncidents(unit, kept)
  const rises = due.filter(({ transition }) => transition === WORSE)
  const outdated = rises.length === 0 ? new Set<string>() : await outdatedRises(unit, rises)
  const over = new Set([...unsent.map(({ incident }) => incident), ...closed])
  const isOver = ({ incident, id }: Row): boolean => over.has(incident) || outdated.has(id)
  await change(unit, [...unsent, ...due.filter(isOver)], { state: 'quiet' })
  const waiting = begins.filter(({ incident }) => !over.has(incident))
  return withoutEarly(
    unit,
    due.filter((notice) => !isOver(notice)),
    waiting,
  )
}

/**
 * Postpones each "resolved" or `worse` whose "fired" (one of `begins`) is not due yet to the time of that "fired", to keep their order.
 * Resolves to the rest of `due`.
 */
async function withoutEarly(unit: UnitOfWork, due: readonly Row[], begins: readonly Row[]): Promise<readonly Row[]> {
  const isDue = new Set(due.map(({ id }) => id))
  const waiting = new Map(begins.flatMap((begin) => (isDue.has(begin.id) ? [] : [[begin.incident, begin]])))
  const isEarly = ({ transition, incident }: Row): boolean => transition !== 'fired' && !isRepeat({ transition }) && waiting.has(incident)
  for (const notice of due.filter(isEarly)) {
    const { due: dueMs, state } = waiting.get(notice.incident) ?? notice
    // One that quiet hours hold back becomes due when they end earlier.
    await change(unit, [notice], { due: dueMs, ...(state === 'held' ? { state } : {}) })
  }
  return due.filter((notice) => !isEarly(notice))
}

const isKeptBack = ({ state }: Row): boolean => keptBackStates.includes(state)

/**
 * Loads the "fired" notifications that were not sent yet and belong to the same incidents as `ends` ("resolved" and `worse` notifications).
 */
const openBeginnings = ({ sql }: UnitOfWork, ends: readonly Row[]): Promise<readonly Row[]> =>
  sql
    .selectFrom('notices')
    .selectAll()
    .where('state', 'in', openStates)
    .where('transition', '=', 'fired')
    .where(
      'incident',
      'in',
      ends.map(({ incident }) => incident),
    )
    .execute()

async function change({ sql }: UnitOfWork, notices: readonly Row[], to: Partial<Pick<NoticeTable, 'state' | 'due'>>): Promise<void> {
  if (notices.length === 0) return
  const ids = notices.map(({ id }) => id)
  await sql.updateTable('notices').set(to).where('id', 'in', ids).execute()
}
