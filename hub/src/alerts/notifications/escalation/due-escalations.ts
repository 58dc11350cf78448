import { sql as raw, type Selectable } from 'kysely'
import type { UnitOfWork } from '../../../platform/db/database.ts'
import type { IncidentTable, NoticeTable } from '../../../platform/db/schema.ts'
import type { Engine } from '../../../records/engine/engine.ts'
import { whereReadable } from '../../../records/engine/record-table-store.ts'
import { isAdmin, textOf } from '../../../records/model/stored-record.ts'
import { loadNetworkCauses } from '../../incidents/network-causes.ts'
import { channelOf } from '../delivery-store.ts'
import { ESCALATED, RESOLVED_FOR, UNREACHED, WORSE, type NoticeBody } from '../notice.ts'
import { channelsOf, loadPreferences } from '../recipient.ts'
import { stepsFor, type EscalationStep } from './escalation-steps.ts'
import { severityIn } from './escalation-times.ts'
import { isReachable } from './reachable-person.ts'

type Row = Selectable<NoticeTable>

type EscalationQuery = {
  readonly engine: Engine
  readonly unit: UnitOfWork
  readonly sendsMail: boolean
  readonly nowMs: number
}

/** Notification to store about an escalated alert: the `body` of an earlier one, and the fields that `more` adds to it. */
export type EscalationNotice = Pick<Row, 'incident' | 'transition' | 'owner' | 'system' | 'body'> & { readonly more: Partial<NoticeBody> }

/**
 * Incident with a due step, or with an end to report. `body` and `transition` are those of its "resolved", else its sent `worse`, else its
 * "fired"; null if that was deleted.
 */
type DueIncident = Pick<Selectable<IncidentTable>, 'owner' | 'system' | 'kind' | 'severity' | 'escalated' | 'ended'> & {
  readonly incident: string
  readonly unanswered: number | null
  readonly body: string | null
  readonly transition: string | null
}

type EscalationResult = {
  readonly change: { readonly escalate: number | null; readonly escalated?: number; readonly unanswered?: number }
  readonly notices: readonly EscalationNotice[]
}

const MINUTE_MS = 60_000
/** Interval in ms (2 min) at which a step is checked again while an outage explains its alert. The alert may end with the outage. */
const RECHECK_MS = 120_000
/** Maximum number of incidents whose steps one transaction carries out: 100. */
const AT_ONCE = 100

/**
 * Takes the due steps of up to 100 incidents, at most one of each, and schedules their next ones. Resolves to notifications that the
 * transaction has to store: about the steps, and about ended alerts to people of earlier steps.
 */
export async function takeDueEscalations(query: EscalationQuery): Promise<readonly EscalationNotice[]> {
  const { unit, nowMs } = query
  const { rows } = await raw<DueIncident>`
    select i.id as incident, i.owner, i.system, i.kind, i.severity, i.unanswered, i.escalated, i.ended, n.body, n.transition
    from incidents as i left join notices as n on n.incident = i.id and n.transition = case when i.ended is not null then 'resolved'
      when exists (select 1 from notices as w where w.incident = i.id and w.transition = ${WORSE} and w.state = 'handed') then ${WORSE}
      else 'fired' end
    where (i.escalate <= ${nowMs} or (i.escalate is not null and i.unanswered > ${nowMs})) and (i.acknowledged is null or i.ended is not null) order by i.escalate, i.id limit ${AT_ONCE}`.execute(
    unit.sql,
  )
  const results: EscalationNotice[] = []
  for (const row of rows) {
    const { change, notices } = await (row.ended === null ? carryOut(query, row) : reportEnd(unit, row))
    // The alert may end at the same time, in a transaction that does not hold the lock of the notices.
    const { numUpdatedRows } = await unit.sql
      .updateTable('incidents')
      .set(change)
      .where('id', '=', row.incident)
      .where('ended', row.ended === null ? 'is' : '=', row.ended)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) results.push(...notices)
  }
  return results
}

const over: EscalationResult = { change: { escalate: null }, notices: [] }

/** Reports the end of an alert to all people to whom a message about its escalation was sent, except its owner. */
async function reportEnd({ sql }: UnitOfWork, { incident, owner, system, body }: DueIncident): Promise<EscalationResult> {
  if (body === null) return over
  const informed = await sql
    .selectFrom('notices')
    .select(({ fn }) => ['owner', fn.min('transition').as('transition')])
    .where('incident', '=', incident)
    .where('owner', '<>', owner)
    .where('transition', 'like', `${ESCALATED}%`)
    .where('state', '=', 'handed')
    .groupBy('owner')
    .orderBy('owner')
    .execute()
  const notices = informed.map((notice) => ({
    incident,
    system,
    body,
    owner: notice.owner,
    transition: `${RESOLVED_FOR}${notice.transition.slice(ESCALATED.length)}`,
    more: {},
  }))
  return { change: { escalate: null }, notices }
}

/**
 * Carries out the next step of an active incident: the first of the remaining ones that reaches somebody. If none does, its owner is
 * informed. It waits if the first remaining step is not due by the current settings, or an outage explains the alert.
 */
async function carryOut(query: EscalationQuery, row: DueIncident): Promise<EscalationResult> {
  const { engine, unit, nowMs } = query
  const { owner, incident, system, body, unanswered, escalated } = row
  const preferences = await loadPreferences({ records: engine.store, unit, owner })
  const steps = stepsFor(preferences?.['settings'], severityIn(row.severity)).filter(({ minutes }) => minutes > (escalated ?? 0))
  const [first] = steps
  if (first === undefined || body === null || unanswered === null) return over
  const timeOf = ({ minutes }: EscalationStep): number => unanswered + minutes * MINUTE_MS
  // The clock was set back: the minutes count from now on.
  if (unanswered > nowMs) return { change: { unanswered: nowMs, escalate: nowMs + first.minutes * MINUTE_MS }, notices: [] }
  if (timeOf(first) > nowMs) return { change: { escalate: timeOf(first) }, notices: [] }
  const network = await loadNetworkCauses({ engine, unit, owner }, [row])
  if (network.causeOf(row) !== undefined) return { change: { escalate: nowMs + RECHECK_MS }, notices: [] }

  const run = row.transition === WORSE ? `${WORSE}-` : ''
  const base = { incident, system, body }
  const unansweredMinutes = Math.max(first.minutes, Math.round((nowMs - unanswered) / MINUTE_MS))
  let last = first
  for (const [index, step] of steps.entries()) {
    last = step
    const target = await targetOf(query, row, step)
    if (target === undefined) continue
    const next = steps[index + 1]
    const more = { ...target.more, unansweredMinutes }
    return {
      // After a delay, such as an outage, the steps keep their distance.
      change: { escalated: step.minutes, escalate: next === undefined ? null : nowMs + (next.minutes - first.minutes) * MINUTE_MS },
      notices: [{ ...base, owner: target.owner, transition: `${ESCALATED}${run}${step.minutes}`, more }],
    }
  }
  const unreached = { ...base, owner, transition: `${UNREACHED}-${run}${last.minutes}`, more: { unansweredMinutes } }
  return { change: { escalated: last.minutes, escalate: null }, notices: [unreached] }
}

type StepTarget = { readonly owner: string; readonly more: Partial<NoticeBody> }

/** Resolves to the user whom a step informs, and through which channels. `undefined` if it reaches nobody. */
async function targetOf(query: EscalationQuery, row: DueIncident, step: EscalationStep): Promise<StepTarget | undefined> {
  return step.person === undefined ? ownTarget(query, row, step.channels ?? []) : personTarget(query, row, step.person)
}

async function ownTarget(
  { engine, unit, sendsMail }: EscalationQuery,
  { owner }: DueIncident,
  addresses: readonly string[],
): Promise<StepTarget | undefined> {
  const wanted = new Set(addresses.map((address) => address.trim()))
  const channels = await channelsOf({ records: engine.store, unit, owner, sendsMail })
  const keys = channels.flatMap(({ target }) =>
    wanted.has(target.way === 'mail' ? target.to : target.address) ? [channelOf(engine.secrets, owner, target)] : [],
  )
  return keys.length === 0 ? undefined : { owner, more: { channels: keys } }
}

/**
 * Resolves to the person of a step. `undefined` if the alert's owner is not an admin any more or is that person, or if the person cannot be
 * reached.
 */
async function personTarget(query: EscalationQuery, row: DueIncident, person: string): Promise<StepTarget | undefined> {
  const { engine, unit, nowMs } = query
  const account = await whereReadable(() => engine.store.load('users', row.owner, unit))
  if (account === undefined || !isAdmin(account) || person === row.owner) return undefined
  const { incident, system, body } = row
  const notice = { id: '', incident, transition: ESCALATED, owner: person, system, at: nowMs, state: 'new', due: nowMs, body: body ?? '' }
  if (!(await isReachable(query, notice))) return undefined
  return { owner: person, more: { ownerName: textOf(account, 'name') || textOf(account, 'email') } }
}
