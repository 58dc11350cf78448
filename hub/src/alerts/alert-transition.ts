import { sql } from 'kysely'
import type { UnitOfWork } from '../db/database.ts'
import { recordDate } from '../records/record-date.ts'
import { randomId } from '../records/record-id.ts'
import type { RecordStore } from '../records/record-store.ts'
import { textOf, type StoredRecord } from '../records/stored-record.ts'
import { decide, type AlertEvent, type AlertState, type Change } from './alert-state.ts'
import { ruleOf, type AlertRule } from './alert-rule.ts'
import { fallDueMs } from './falls.ts'
import { beginIncident, endIncidents, loadState, saveState } from './incident-store.ts'
import { putNotice, type NoticeBody } from './notice.ts'

/** What a transition is told with. */
export type Facts = Pick<NoticeBody, 'value' | 'target' | 'reason'>

export type Writing = { readonly unit: UnitOfWork; readonly records: RecordStore; readonly nowMs: number }

/** An alert and the system it is about, as they are in this unit of work. */
export type Loaded = { readonly alert: StoredRecord; readonly rule: AlertRule; readonly system: StoredRecord }

/**
 * Decides what an event means for an alert and stores all of it in one go: where the alert stands, the incident, its row in
 * the history of clients, and what is to be told. Returns what changed, undefined for nothing.
 */
export async function settle(
  writing: Writing,
  { alert, rule, system }: Loaded,
  event: AlertEvent,
  facts: Facts = {},
): Promise<Change | undefined> {
  const { unit, records, nowMs } = writing
  const before = await stateOf(unit, rule)
  const { state, change } = decide(before, event, () => randomId(15))
  if (change === undefined) {
    if (state !== before) await saveState(unit, rule.id, state)
    return undefined
  }
  await saveState(unit, rule.id, state)
  await records.update(unit, 'alerts', rule.id, { triggered: change === 'fired' })
  if (change === 'fired' && state.phase === 'firing') await open(writing, { alert, rule, state, facts })
  else await close(writing, rule.id, change === 'resolved' ? 'resolved' : 'closed')
  const incident = incidentOf(before, state)
  if (change !== 'closed' && incident !== undefined) {
    const body = { systemName: textOf(system, 'name'), kind: rule.name, ...facts, ...thresholdOf(rule), minutes: rule.minutes }
    const isFall = rule.name === 'Status' && change === 'fired'
    const dueMs = isFall ? await fallDueMs(unit, { owner: rule.owner, sinceMs: incident.sinceMs, nowMs }) : nowMs
    const notice = {
      incident: incident.incident,
      transition: change,
      owner: rule.owner,
      system: rule.system,
      atMs: nowMs,
      body: { ...body, beganMs: incident.sinceMs },
    }
    await putNotice(unit, notice, dueMs)
  }
  return change
}

/** An alert that was said to ring by a client, or before there were incidents, is one that fires all the same. */
async function stateOf(unit: UnitOfWork, rule: AlertRule): Promise<AlertState> {
  const state = await loadState(unit, rule.id)
  if (state.phase === 'firing' || !rule.isFiring) return state
  return { phase: 'firing', sinceMs: 0, incident: '' }
}

function incidentOf(before: AlertState, after: AlertState): Extract<AlertState, { phase: 'firing' }> | undefined {
  const firing = after.phase === 'firing' ? after : before
  // Nobody was told that it began.
  return firing.phase === 'firing' && firing.incident !== '' ? firing : undefined
}

const thresholdOf = ({ name, threshold }: AlertRule): Pick<NoticeBody, 'threshold'> => (name === 'Status' ? {} : { threshold })

type Opening = {
  readonly alert: StoredRecord
  readonly rule: AlertRule
  readonly state: Extract<AlertState, { phase: 'firing' }>
  readonly facts: Facts
}

async function open({ unit, records, nowMs }: Writing, { alert, rule, state, facts }: Opening): Promise<void> {
  await records.insert(unit, 'alerts_history', {
    id: state.incident,
    user: rule.owner,
    system: rule.system,
    name: rule.name,
    value: alert['value'] ?? 0,
    alert_id: rule.id,
    created: recordDate(nowMs),
  })
  await beginIncident(unit, {
    id: state.incident,
    alert: rule.id,
    owner: rule.owner,
    system: rule.system,
    kind: rule.name,
    target: facts.target ?? '',
    threshold: rule.threshold,
    minutes: rule.minutes,
    value: facts.value,
    beganMs: state.sinceMs,
  })
  await trimHistory(unit, rule.owner)
}

/** Ends what goes on of an alert. */
export async function close({ unit, records, nowMs }: Writing, alert: string, ending: 'resolved' | 'closed'): Promise<void> {
  for (const { id } of await records.loadWhere('alerts_history', { alert_id: alert, resolved: '' }, unit))
    await records.update(unit, 'alerts_history', id, { resolved: recordDate(nowMs) })
  await endIncidents(unit, alert, { atMs: nowMs, ending })
}

/** The history that clients read whole: once there is more than the first, the newest of it are kept. There are many more incidents. */
const MOST_KEPT = 250
const KEPT = 200
/** An alert that fires every minute fills nobody's disk. */
const INCIDENTS_KEPT = 5000

async function trimHistory({ sql: transaction }: UnitOfWork, owner: string): Promise<void> {
  await sql`delete from incidents where owner = ${owner} and ended is not null and began <
    (select began from incidents where owner = ${owner} order by began desc limit 1 offset ${INCIDENTS_KEPT})`.execute(transaction)
  const { rows } = await sql<{ count: number }>`select count(*) as count from alerts_history where "user" = ${owner}`.execute(transaction)
  if ((rows[0]?.count ?? 0) <= MOST_KEPT) return
  await sql`delete from alerts_history where "user" = ${owner} and resolved <> '' and id not in
    (select id from alerts_history where "user" = ${owner} order by created desc, id limit ${KEPT})`.execute(transaction)
}

/** What an alert and its system are now, and stay for everybody else until the unit of work ends; undefined when one is gone. */
export async function loadAlert(
  unit: UnitOfWork,
  records: Pick<RecordStore, 'load'> & {
    readonly loadToChange: (name: string, id: string, unit: UnitOfWork) => Promise<StoredRecord | undefined>
  },
  id: string,
): Promise<Loaded | undefined> {
  const alert = await records.loadToChange('alerts', id, unit)
  if (alert === undefined) return undefined
  const rule = ruleOf(alert)
  const system = await records.load('systems', rule.system, unit)
  return system === undefined ? undefined : { alert, rule, system }
}
