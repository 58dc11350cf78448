import type { UnitOfWork } from '../../../platform/db/database.ts'
import { insertRows } from '../../../platform/db/many-rows.ts'
import { alertErrors } from '../../../alerts/judging/alert-errors.ts'
import { alertNames, alerts } from '../../../records/collections/alerts.ts'
import { alertsHistory } from '../../../records/collections/alerts-history.ts'
import type { RecordTableStore } from '../../../records/engine/engine.ts'
import { recordDate, textOf } from '../../../records/model/stored-record.ts'
import type { ForeignHub, TransferTarget } from '../foreign-hub.ts'
import { derivedId, fitRecord, idHere } from './rows/fit-record.ts'
import { foreignDate, type ForeignRow, foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, type NewRecord, type RowJudgement } from './rows/row-judgement.ts'
import { type OwnerFacts, ownedRow } from './owned-row.ts'
import { alertKey, type StoredHere } from './stored-here.ts'

/**
 * Firing period of an imported alert that has not ended yet. `id` is that of its incident; `created` is its start as text, such as
 * `2026-11-23 14:37:00.041Z`.
 */
export type OpenIncident = { readonly incident: string; readonly created: string }

/**
 * Plan for the alerts of the imported hub: a decision for each. `firing` maps an alert's id in this hub to its firing period that has not
 * ended.
 */
export type AlertsPlan = { readonly judged: readonly RowJudgement[]; readonly firing: ReadonlyMap<string, OpenIncident> }

/**
 * Data needed to decide about imported alerts, in addition to {@link OwnerFacts}. `paused` has the ids in this hub of the paused systems,
 * on which no imported alert fires. `nowMs` is the current time in epoch ms.
 */
export type AlertFacts = OwnerFacts & { readonly paused: ReadonlySet<string>; readonly nowMs: number }

const MOST_MINUTES = 60

export const isAlertName = (name: string): boolean => alertNames.some((one) => one === name)

/**
 * Decides which alerts of the imported hub become alerts of this hub. An alert that fires there fires here too, so that only its end sends
 * a notification. On a system that is paused here it does not fire.
 */
export function planAlerts({ database }: Pick<ForeignHub, 'database'>, facts: AlertFacts): AlertsPlan {
  const seen = new Set(facts.here.alerts)
  const opened = openPeriods({ database }, facts.here)
  const firing = new Map<string, OpenIncident>()
  const judged = [...foreignRows(database, 'alerts')].map((row): RowJudgement => {
    const judgement = judgeAlert(row, facts, seen)
    if (judgement.decision !== 'taken') return judgement
    const { record } = judgement
    seen.add(alertKey(textOf(record, 'user'), textOf(record, 'system'), textOf(record, 'name')))
    if (record['triggered'] !== true) return judgement
    const created = foreignDate(row, 'updated') || recordDate(facts.nowMs)
    const unlisted = { incident: derivedId(`incident of ${record.id}`, alertsHistory.idForm.maxLength), created }
    firing.set(record.id, opened.get(foreignText(row, 'id')) ?? unlisted)
    return judgement
  })
  return { judged, firing }
}

function judgeAlert(row: ForeignRow, facts: AlertFacts, seen: ReadonlySet<string>): RowJudgement {
  const name = foreignText(row, 'name')
  const example = `${name} ${foreignText(row, 'id')}`
  const owned = ownedRow(row, { collection: alerts, facts, example, isStored: (id) => facts.here.has(alerts, id) })
  if ('decision' in owned) return owned
  const { id, user, system } = owned
  if (!isAlertName(name)) return leftOut('this hub has no such alert', example)
  if (seen.has(alertKey(user, system, name))) return leftOut('the user has the same alert already', example)
  const threshold = thresholdIn(row, name)
  if ('problem' in threshold) return leftOut(threshold.problem, example)
  const { value, min, changes } = threshold
  const fitted = fitRecord(alerts, { ...row, min, value }, { user, system, name, target: '' })
  if (fitted.problem !== undefined) return leftOut(fitted.problem, example)
  if (Object.keys(alertErrors(fitted.values)).length > 0) return leftOut('its threshold is beyond the limits', example)
  const isEnded = fitted.values['triggered'] === true && facts.paused.has(system)
  const reasons = [...fitted.changes, ...changes, ...(isEnded ? ['its firing period ends: the system is paused here'] : [])]
  const record: NewRecord = { ...fitted.values, id, ...(isEnded ? { triggered: false } : {}) }
  return { decision: 'taken', record, changes: reasons.map((reason) => ({ reason, example })) }
}

type ThresholdValues = { readonly value: number; readonly min: number; readonly changes: readonly string[] }

/**
 * Returns an imported alert's threshold (`value`), its delay in minutes (`min`) and a list of the changes made to them; `name` is the alert
 * kind. An unusable delay becomes 0. Returns `{ problem }` (text) for a missing threshold, except for `Status`, or a delay above the limit.
 */
function thresholdIn(row: ForeignRow, name: string): ThresholdValues | { readonly problem: string } {
  const [value, minutes] = [numberIn(row, 'value'), numberIn(row, 'min')]
  // An alert without a number of its own would fire always, except for the one that needs none.
  if (value === undefined && name !== 'Status') return { problem: 'its threshold is no number' }
  if (minutes !== undefined && minutes > MOST_MINUTES) return { problem: `it lasts longer than ${MOST_MINUTES} minutes` }
  const isBad = minutes === undefined || minutes < 0
  return { value: value ?? 0, min: isBad ? 0 : minutes, changes: isBad ? ['"min" was no number of minutes and is 0'] : [] }
}

function numberIn(row: ForeignRow, column: string): number | undefined {
  const text = foreignText(row, column).trim()
  const number = Number(text)
  return text === '' || !Number.isFinite(number) ? undefined : number
}

/**
 * Returns a map from an alert's id in the imported hub to its newest firing period without an end. Alerts without one are absent; periods
 * that this hub already has do not count.
 */
function openPeriods({ database }: Pick<ForeignHub, 'database'>, here: StoredHere): ReadonlyMap<string, OpenIncident> {
  const periods = new Map<string, OpenIncident>()
  for (const row of foreignRows(database, 'alerts_history')) {
    const incident = idHere(alertsHistory, row)
    const [alert, created] = [foreignText(row, 'alert_id'), foreignDate(row, 'created')]
    if (incident === undefined || created === '' || foreignDate(row, 'resolved') !== '' || here.incidents.has(incident)) continue
    const before = periods.get(alert)
    if (before === undefined || before.created < created) periods.set(alert, { incident, created })
  }
  return periods
}

/** Inserts imported alerts in a transaction. Firing ones also get their state, their incident and their row in `alerts_history`. */
export async function insertAlerts(
  unit: UnitOfWork,
  { target, store, firing }: { readonly target: TransferTarget; readonly store: RecordTableStore; readonly firing: AlertsPlan['firing'] },
  records: readonly NewRecord[],
): Promise<void> {
  await store.insertMany(unit, alerts, records)
  const periods = records.flatMap((alert) => {
    const period = firing.get(alert.id)
    return period === undefined ? [] : [{ alert, period }]
  })
  await insertRows(unit.sql, target.database.name, {
    table: 'alert_states',
    columns: ['alert', 'target', 'phase', 'since', 'due', 'incident'],
    rows: periods.map(({ alert, period }) => [alert.id, '', 'firing', Date.parse(period.created), null, period.incident]),
  })
  const incidents = periods.map(({ alert, period }): IncidentRecord => ({
    id: period.incident,
    user: textOf(alert, 'user'),
    system: textOf(alert, 'system'),
    name: textOf(alert, 'name'),
    value: Number(alert['value']),
    alert_id: alert.id,
    created: period.created,
    resolved: '',
  }))
  await insertIncidents(unit, target, incidents, new Map(periods.map(({ alert }) => [alert.id, Number(alert['min'])])))
  await store.insertMany(unit, alertsHistory, incidents)
}

/** Values of an imported record of the collection `alerts_history`, all fields filled in: one firing period of an alert. */
export type IncidentRecord = {
  readonly id: string
  readonly user: string
  readonly system: string
  readonly name: string
  readonly value: number
  readonly alert_id: string
  readonly created: string
  readonly resolved: string
}

/**
 * Inserts an incident (firing period of an alert) for each record of `alerts_history` in `records`. `minutesOf` maps alert ids to the value
 * of their setting `min`; others get 1.
 */
export async function insertIncidents(
  unit: UnitOfWork,
  { database }: Pick<TransferTarget, 'database'>,
  records: readonly IncidentRecord[],
  minutesOf: ReadonlyMap<string, number>,
): Promise<void> {
  await insertRows(unit.sql, database.name, {
    table: 'incidents',
    columns: ['id', 'alert', 'owner', 'system', 'kind', 'target', 'threshold', 'minutes', 'value', 'began', 'ended', 'ending'],
    rows: records.map(({ id, user, system, name, value, alert_id: alert, created, resolved }) => {
      const [beganMs, endedMs] = [Date.parse(created), resolved === '' ? null : Date.parse(resolved)]
      const minutes = Math.max(1, minutesOf.get(alert) ?? 1)
      return [id, alert, user, system, name, '', value, minutes, null, beganMs, endedMs, endedMs === null ? '' : 'resolved']
    }),
  })
}
