import { sql, type Kysely, type Selectable } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { recordDate, textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { levelKind } from '../judging/alert-kinds.ts'
import {
  type AlertEvent,
  type AlertRule,
  type AlertState,
  type Change,
  decide,
  firstSeverity,
  ok,
  ruleOf,
  type Severity,
} from '../judging/judgement.ts'
import { downDueMs } from '../incidents/down-together.ts'
import { noteIncidentChange } from '../incidents/incident-access.ts'
import type { NoticeBody } from '../notifications/notice.ts'
import { putNotice } from '../notifications/notice-outbox.ts'
import type { AlertStateTable, Tables } from '../../platform/db/schema.ts'

/**
 * Details for the notification that an alert fired, became critical or resolved: measured value, target, reason and uncertainty interval of
 * a forecast, each optional.
 */
export type TransitionDetails = Pick<NoticeBody, 'value' | 'target' | 'reason' | 'range'>

export type TransitionContext = { readonly unit: UnitOfWork; readonly records: RecordStore; readonly nowMs: number }

/** Alert that the current transaction has loaded and locked: its record, the parsed rule and the record of its system. */
export type LoadedAlert = { readonly alert: StoredRecord; readonly rule: AlertRule; readonly system: StoredRecord }

/**
 * Event for one alert rule, such as a value beyond the threshold, with details for its notification. `part` names the container or service
 * if each one of the rule fires separately.
 */
export type TargetEvent = {
  readonly event: AlertEvent
  readonly facts?: TransitionDetails
  /** Name of the container, service or other target that fires separately. `''` or absent for an alert with a single state. */
  readonly part?: string
}

/**
 * Applies an event to an alert: stores its next state, its firing period, and a notification where users are notified, all in the
 * transaction. Resolves to the change `fired`, `worse`, `resolved` or `closed`; `undefined` if none of them happened.
 */
export async function applyEvent(
  writing: TransitionContext,
  loaded: LoadedAlert,
  { event, facts = {}, part = '' }: TargetEvent,
): Promise<Change | undefined> {
  const { unit, records } = writing
  const { rule } = loaded
  const before = await stateOf(unit, rule, part)
  const { state, change } = decide(before, event, { newIncident: () => randomId(15), severity: firstSeverity(rule) })
  if (state !== before) await saveAlertState(unit, rule.id, state, part)
  if (change === undefined) return undefined
  const incident = incidentOf(before, state)
  if (state.phase === 'firing') {
    await records.update(unit, 'alerts', rule.id, { triggered: true, firing: state.severity })
    if (change === 'fired') await openIncident(writing, { ...loaded, state, facts })
    else await worsenIncident(unit, state.incident)
  } else {
    await closeIncidents(
      writing,
      { alert: rule.id, system: rule.system, ...(incident === undefined ? {} : { incident: incident.incident }) },
      change === 'resolved' ? 'resolved' : 'closed',
    )
    const stillFires = (await loadStates(unit, rule.id)).some((standing) => standing.state.phase === 'firing')
    if (!stillFires) await records.update(unit, 'alerts', rule.id, { triggered: false, firing: '' })
  }
  if (change !== 'closed' && incident !== undefined) await notify(writing, loaded, { change, incident, facts })
  return change
}

type Notification = {
  readonly change: Exclude<Change, 'closed'>
  readonly incident: Extract<AlertState, { phase: 'firing' }>
  readonly facts: TransitionDetails
}

async function notify(
  { unit, nowMs }: TransitionContext,
  { rule, system }: LoadedAlert,
  { change, incident, facts }: Notification,
): Promise<void> {
  const body = {
    systemName: textOf(system, 'name'),
    kind: rule.name,
    ...targetOf(rule),
    ...facts,
    ...levelOf(rule, change === 'resolved' ? firstSeverity(rule) : incident.severity),
    ...(hasSeverity(rule) ? { severity: incident.severity } : {}),
    beganMs: incident.sinceMs,
  }
  const isFall = rule.name === 'Status' && change === 'fired'
  const dueMs = isFall ? await downDueMs(unit, { owner: rule.owner, sinceMs: incident.sinceMs, nowMs }) : nowMs
  const notice = { incident: incident.incident, transition: change, owner: rule.owner, system: rule.system, atMs: nowMs, body }
  await putNotice(unit, notice, dueMs)
}

/** Stores that an incident became critical. Its acknowledgement, which was about the warning, ends. */
async function worsenIncident(unit: UnitOfWork, id: string): Promise<void> {
  // Reminders and the escalation begin again when the message is sent.
  const none = { acknowledged: null, acknowledger: '', note: '', snoozed: null, remind: null, escalate: null }
  const worse = await unit.sql
    .updateTable('incidents')
    .set({ severity: 'critical', ...none })
    .where('id', '=', id)
    .returning(['id', 'unanswered'])
    .execute()
  noteEscalated(unit, worse)
}

/** Ends all firing periods of an alert rule without a notification, and deletes its pending states. */
export async function resetAlert(writing: TransitionContext, loaded: LoadedAlert): Promise<void> {
  const standing = await loadStates(writing.unit, loaded.rule.id)
  const parts = standing.length === 0 ? [''] : standing.map(({ target }) => target)
  for (const part of parts) await applyEvent(writing, loaded, { event: { kind: 'reset' }, part })
}

/**
 * Loads the state of an alert for one target (`part`). With `''`, a record with `triggered` true but no stored firing state counts as
 * firing. An API client or an old version has set that field.
 */
async function stateOf(unit: UnitOfWork, rule: AlertRule, part: string): Promise<AlertState> {
  const state = await loadAlertState(unit, rule.id, part)
  if (state.phase === 'firing' || !rule.isFiring || part !== '') return state
  return { phase: 'firing', sinceMs: 0, incident: '', severity: 'critical' }
}

function incidentOf(before: AlertState, after: AlertState): Extract<AlertState, { phase: 'firing' }> | undefined {
  const firing = after.phase === 'firing' ? after : before
  // Without an incident no "fired" notification exists.
  return firing.phase === 'firing' && firing.incident !== '' ? firing : undefined
}

/**
 * Returns the minutes, and the threshold if the kind has one, at which an alert fires with a severity (`warning`: the first of two). Used
 * for the notification.
 */
function levelOf(rule: AlertRule, severity: Severity): Pick<NoticeBody, 'threshold' | 'minutes'> {
  const { threshold, minutes } = severity === 'warning' ? (rule.warning ?? rule) : rule
  return { ...(levelKind(rule.name) === undefined ? {} : { threshold }), minutes }
}

/** Returns true for a rule with the severity `warning` or with two thresholds. Notifications of other rules do not name a severity. */
const hasSeverity = ({ warning, severity }: AlertRule): boolean => warning !== undefined || severity === 'warning'

const targetOf = ({ target }: AlertRule): Pick<NoticeBody, 'target'> => (target === '' ? {} : { target })

type NewIncident = {
  readonly alert: StoredRecord
  readonly rule: AlertRule
  readonly state: Extract<AlertState, { phase: 'firing' }>
  readonly facts: TransitionDetails
}

async function openIncident({ unit, records, nowMs }: TransitionContext, { alert, rule, state, facts }: NewIncident): Promise<void> {
  const level = state.severity === 'warning' ? (rule.warning ?? rule) : rule
  await records.insert(unit, 'alerts_history', {
    id: state.incident,
    user: rule.owner,
    system: rule.system,
    name: rule.name,
    value: rule.warning === undefined ? (alert['value'] ?? 0) : level.threshold,
    alert_id: rule.id,
    created: recordDate(nowMs),
  })
  await unit.sql
    .insertInto('incidents')
    .values({
      id: state.incident,
      alert: rule.id,
      owner: rule.owner,
      system: rule.system,
      kind: rule.name,
      target: facts.target ?? rule.target,
      threshold: level.threshold,
      minutes: level.minutes,
      severity: state.severity,
      value: facts.value ?? null,
      began: state.sinceMs,
      ended: null,
      ending: '',
    })
    .execute()
  await trimHistory(unit, rule.owner)
}

/**
 * Ends all incidents (firing periods) of an alert that have not ended, or only the one with the id `incident`. Marks their rows in
 * `alerts_history` as resolved.
 */
export async function closeIncidents(
  { unit, records, nowMs }: TransitionContext,
  which: IncidentSelection,
  ending: 'resolved' | 'closed',
): Promise<void> {
  const { alert, system, incident } = which
  const rows = await records.loadWhere('alerts_history', { system, alert_id: alert, resolved: '' }, unit)
  for (const row of rows) {
    // The clock may have been set back since the incident began. Record dates compare as text.
    const [now, created] = [recordDate(nowMs), textOf(row, 'created')]
    const resolved = now > created ? now : created
    if (incident === undefined || row.id === incident) await records.update(unit, 'alerts_history', row.id, { resolved })
  }
  await endIncidents(unit, which, { atMs: nowMs, ending })
}

/**
 * Number of a user's rows in the collection `alerts_history` (250) above which resolved rows are deleted, except those among the newest 200
 * rows. Clients read the whole collection.
 */
const MOST_KEPT = 250
const KEPT = 200
/**
 * Number of stored incidents (firing periods) per user, 5,000, above which the oldest ended ones are deleted. A flapping alert then does
 * not fill the disk.
 */
const INCIDENTS_KEPT = 5000

async function trimHistory({ sql: transaction }: UnitOfWork, owner: string): Promise<void> {
  await sql`delete from incidents where owner = ${owner} and ended is not null and began <
    (select began from incidents where owner = ${owner} order by began desc limit 1 offset ${INCIDENTS_KEPT})`.execute(transaction)
  const { rows } = await sql<{ count: number }>`select count(*) as count from alerts_history where "user" = ${owner}`.execute(transaction)
  if ((rows[0]?.count ?? 0) <= MOST_KEPT) return
  await sql`delete from alerts_history where "user" = ${owner} and resolved <> '' and id not in
    (select id from alerts_history where "user" = ${owner} order by created desc, id limit ${KEPT})`.execute(transaction)
}

/** Loads an alert with its system, and locks the alert until the end of the transaction. `undefined` if one of them was deleted. */
export async function loadAlert(
  unit: UnitOfWork,
  records: Pick<RecordStore, 'load' | 'loadToChange'>,
  id: string,
): Promise<LoadedAlert | undefined> {
  const alert = await records.loadToChange('alerts', id, unit)
  if (alert === undefined) return undefined
  const rule = ruleOf(alert)
  const system = await records.load('systems', rule.system, unit)
  return system === undefined ? undefined : { alert, rule, system }
}

/**
 * Selection of incidents (firing periods) of one alert on one system: the one with the id `incident`, or, if absent, all that have not
 * ended.
 */
type IncidentSelection = { readonly alert: string; readonly system: string; readonly incident?: string }

/**
 * Stores the end of incidents (firing periods). `resolved`: the problem is over. `closed`: any other reason, such as a changed or deleted
 * alert, a paused system, lost access, or a container that is gone for good.
 */
async function endIncidents(
  unit: UnitOfWork,
  { alert, incident }: IncidentSelection,
  { atMs, ending }: { readonly atMs: number; readonly ending: 'resolved' | 'closed' },
): Promise<void> {
  // The clock may have been set back since the incident began.
  const ended = sql<number>`case when began > ${atMs} then began else ${atMs} end`
  // The people to whom it was escalated are informed.
  const escalate =
    ending === 'resolved' ? sql<number | null>`case when unanswered is null then null else cast(${atMs} as bigint) end` : null
  const all = unit.sql.updateTable('incidents').set({ ended, ending, escalate }).where('alert', '=', alert).where('ended', 'is', null)
  const some = incident === undefined ? all : all.where('id', '=', incident)
  noteEscalated(unit, await some.returning(['id', 'unanswered']).execute())
}

/** Reports changes of incidents that may have been escalated. Their owners are informed by the events of their alerts. */
function noteEscalated(unit: UnitOfWork, incidents: readonly { readonly id: string; readonly unanswered: number | null }[]): void {
  for (const { id, unanswered } of incidents) if (unanswered !== null) noteIncidentChange(unit, id)
}

export async function deleteIncidentsOf({ sql }: UnitOfWork, whose: 'owner' | 'system', id: string): Promise<void> {
  await sql.deleteFrom('notices').where(whose, '=', id).execute()
  await sql.deleteFrom('incidents').where(whose, '=', id).execute()
}

/** Loads the state (ok, pending or firing) of an alert (by id) for one target; `''` means the whole system. `ok` if no state is stored. */
async function loadAlertState({ sql }: UnitOfWork, alert: string, target = ''): Promise<AlertState> {
  const row = await sql.selectFrom('alert_states').selectAll().where('alert', '=', alert).where('target', '=', target).executeTakeFirst()
  return row === undefined ? ok : stateIn(row)
}

type StandingState = { readonly target: string; readonly state: AlertState }

/** Loads all pending and firing states of an alert (by id), one for each target, sorted by target. Empty if it is neither. */
export async function loadStates({ sql }: UnitOfWork, alert: string): Promise<readonly StandingState[]> {
  const rows = await sql.selectFrom('alert_states').selectAll().where('alert', '=', alert).orderBy('target').execute()
  return rows.map((row) => ({ target: row.target, state: stateIn(row) }))
}

function stateIn({ phase, since: sinceMs, due, incident, severity }: Selectable<AlertStateTable>): AlertState {
  if (phase === 'firing') return { phase: 'firing', sinceMs, incident, severity: severity === 'warning' ? 'warning' : 'critical' }
  return due === null ? { phase: 'pending', sinceMs } : { phase: 'pending', sinceMs, dueMs: due }
}

async function saveAlertState({ sql }: UnitOfWork, alert: string, state: AlertState, target = ''): Promise<void> {
  if (state.phase === 'ok') {
    await sql.deleteFrom('alert_states').where('alert', '=', alert).where('target', '=', target).execute()
    return
  }
  const row = {
    phase: state.phase,
    since: state.sinceMs,
    due: state.phase === 'pending' ? (state.dueMs ?? null) : null,
    incident: state.phase === 'firing' ? state.incident : '',
    severity: state.phase === 'firing' ? state.severity : 'critical',
  }
  await sql
    .insertInto('alert_states')
    .values({ alert, target, ...row })
    .onConflict((conflict) => conflict.columns(['alert', 'target']).doUpdateSet(row))
    .execute()
}

/**
 * Position in the list of pending alerts by due time: alert id and due time (epoch ms) of the last alert that was read. The next page
 * starts after it.
 */
export type DuePosition = { readonly alert: string; readonly due: number }

type DueQuery = { readonly nowMs: number; readonly most: number; readonly after: DuePosition | undefined }

/**
 * Loads up to `most` pending alerts whose waiting time is over, earliest first, after the position `after` (`undefined`: from the start).
 * Waits that begin in the future are included, because the clock was set back.
 */
export async function loadDue(kysely: Kysely<Tables>, { nowMs, most, after }: DueQuery): Promise<readonly DuePosition[]> {
  const rows = await kysely
    .selectFrom('alert_states')
    .select(['alert', 'due'])
    .where((is) => is.or([is('due', '<=', nowMs), is.and([is('due', 'is not', null), is('since', '>', nowMs)])]))
    .where((is) =>
      after === undefined
        ? is.lit(true)
        : is.or([is('due', '>', after.due), is.and([is('due', '=', after.due), is('alert', '>', after.alert)])]),
    )
    .orderBy('due')
    .orderBy('alert')
    .limit(most)
    .execute()
  return rows.flatMap(({ alert, due }) => (due === null ? [] : [{ alert, due }]))
}

/** Deletes the pending and firing states of a changed or deleted alert. Its stored incidents (firing periods) stay. */
export async function deleteAlertStates({ sql }: UnitOfWork, alert: string): Promise<void> {
  await sql.deleteFrom('alert_states').where('alert', '=', alert).execute()
}
