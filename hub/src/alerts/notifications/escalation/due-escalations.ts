import { sql as raw, type Selectable } from 'kysely'
import type { UnitOfWork } from '../../../platform/db/database.ts'
import type { IncidentTable, NoticeTable } from '../../../platform/db/schema.ts'
import type { Engine } from '../../../records/engine/engine.ts'
import { whereReadable } from '../../../records/engine/record-table-store.ts'
import { isAdmin, textOf } from '../../../records/model/stored-record.ts'
import { ESCALATED } from '../../incidents/incident-access.ts'
import { loadNetworkCauses } from '../../incidents/network-causes.ts'
import { channelOf } from '../delivery-store.ts'
import { RESOLVED_FOR, UNREACHED, WORSE, type NoticeBody } from '../notice.ts'
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

/**
 * Notification about an escalated alert, to be stored. `body` is the JSON text of an earlier notification of the incident; `more` has the
 * fields that are added to it.
 */
export type EscalationNotice = Pick<Row, 'incident' | 'transition' | 'owner' | 'system' | 'body'> & { readonly more: Partial<NoticeBody> }

/**
 * Incident whose next escalation step is due, or whose end is to be reported. `body` and `transition` are those of its latest notification
 * ("resolved", `worse` or "fired"); null if it was deleted.
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
/** Interval in ms (2 min) after which a due escalation step is checked again, while the outage of another system explains the alert. */
const RECHECK_MS = 120_000
/** Maximum number of incidents whose due escalation steps one transaction carries out: 100. The rest follow in the next transaction. */
const AT_ONCE = 100

/**
 * Carries out due escalation steps of up to 100 incidents, one step each, and schedules the next ones. Resolves to the notifications that
 * the caller stores in the same transaction. They inform people of the steps, and report ended alerts to people who were informed before.
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

/**
 * Creates the notifications that an escalated alert ended, for all people who got a message about the escalation, except the alert's owner.
 * Resolves to them and to the change of the incident, which ends the escalation.
 */
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
 * Carries out the next escalation step of an active incident: the first remaining one that reaches somebody. If none does, the owner gets a
 * notification. Resolves to the change of the incident and the notifications; it only postpones a step that is not due, or whose alert an
 * outage explains.
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

/**
 * Resolves to the user whom an escalation step informs, with the channels if the step names them. `undefined` if the step reaches nobody.
 */
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
 * Resolves to the person (user id) whom an escalation step informs. `undefined` if this is the alert's owner, the owner is no admin now, or
 * the person cannot be reached.
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
