import type { UnitOfWork } from '../../../platform/db/database.ts'
import { alertsHistory } from '../../../records/collections/alerts-history.ts'
import type { RecordTableStore } from '../../../records/engine/engine.ts'
import { recordDate, textOf } from '../../../records/model/stored-record.ts'
import type { ForeignHub, TransferTarget } from '../foreign-hub.ts'
import { type AlertFacts, type AlertsPlan, type IncidentRecord, insertIncidents, isAlertName } from './alert-records.ts'
import { ownedRow } from './owned-row.ts'
import { fitRecord } from './rows/fit-record.ts'
import { foreignDate, type ForeignRow, foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, type NewRecord, type RowJudgement } from './rows/row-judgement.ts'

/**
 * Maximum number of incidents (firing periods of alerts) that this hub stores per user: 5,000. Older ones of the imported hub are left out.
 */
const INCIDENTS_KEPT = 5000
/**
 * Maximum number of a user's imported alert periods, 200, that become rows of the collection `alerts_history`; the newest are taken.
 * Clients load that collection as a whole. Older periods are stored as incidents only.
 */
const ROWS_KEPT = 200

/**
 * Yields a decision (import it, already present, or leave it out) for each past firing period of the imported hub's alerts, newest first.
 * It yields one at a time, because there may be very many. Those in `firing` are stored with their alerts.
 */
export function* judgeAlertHistory(
  { database }: Pick<ForeignHub, 'database'>,
  facts: AlertFacts,
  firing: AlertsPlan['firing'],
): Generator<RowJudgement> {
  const counts = new Map<string, number>()
  const open = new Set([...firing.values()].map(({ incident }) => incident))
  for (const row of foreignRows(database, 'alerts_history', 'newest')) {
    const judgement = judgePeriod(row, facts, open)
    const user = facts.userOf.get(foreignText(row, 'user')) ?? ''
    // Rows of an earlier import count too. Otherwise each import would add older ones.
    const count = (counts.get(user) ?? 0) + (judgement.decision === 'left out' ? 0 : 1)
    counts.set(user, count)
    if (judgement.decision !== 'taken') {
      yield judgement
      continue
    }
    if (count > INCIDENTS_KEPT) yield leftOut(`the newest ${INCIDENTS_KEPT} of a user are kept`, '')
    else if (count <= ROWS_KEPT) yield { ...judgement, record: { ...judgement.record, isListed: true } }
    else {
      const changes = [
        ...judgement.changes,
        { reason: `beyond the newest ${ROWS_KEPT} of a user: listed on the alerts page only`, example: '' },
      ]
      yield { ...judgement, record: { ...judgement.record, isListed: false }, changes }
    }
  }
}

function judgePeriod(row: ForeignRow, facts: AlertFacts, open: ReadonlySet<string>): RowJudgement {
  const example = `${foreignText(row, 'name')} ${foreignText(row, 'id')}`
  const owned = ownedRow(row, { collection: alertsHistory, facts, example, isStored: (id) => facts.here.incidents.has(id) })
  if ('decision' in owned) return owned
  const { id, user, system } = owned
  if (!isAlertName(foreignText(row, 'name'))) return leftOut('this hub has no such alert', example)
  const created = foreignDate(row, 'created')
  if (created === '') return leftOut('its time cannot be read', example)
  const end = open.has(id) ? { resolved: '', changes: [] } : endOf(row, created, facts.nowMs)
  const { values, changes, problem } = fitRecord(alertsHistory, row, { user, system, created, resolved: end.resolved })
  if (problem !== undefined) return leftOut(problem, example)
  const reasons = [...changes, ...end.changes]
  return { decision: 'taken', record: { ...values, id }, changes: reasons.map((reason) => ({ reason, example })) }
}

/**
 * Returns the end of an imported firing period as `resolved`, in the form `2026-11-23 14:37:00.041Z`. `changes` lists the reasons if it
 * differs from the stored end; otherwise it is empty.
 */
function endOf(row: ForeignRow, created: string, nowMs: number): { readonly resolved: string; readonly changes: readonly string[] } {
  const [end, now] = [foreignDate(row, 'resolved'), recordDate(nowMs)]
  // Dates of records compare as text.
  if (end === '')
    return {
      resolved: now > created ? now : created,
      changes: ['it lasted, but its alert does not fire: it ends with the import'],
    }
  return end < created
    ? { resolved: created, changes: ['it ended before it began: it ends when it began'] }
    : { resolved: end, changes: [] }
}

/**
 * Inserts those imported past firing periods that are not stored yet, in a transaction. All become incidents, and the newest ones of each
 * user also rows of `alerts_history`.
 */
export async function insertAlertHistory(
  unit: UnitOfWork,
  {
    target,
    store,
    minutesOf,
  }: { readonly target: TransferTarget; readonly store: RecordTableStore; readonly minutesOf: ReadonlyMap<string, number> },
  records: readonly NewRecord[],
): Promise<void> {
  const ids = records.map(({ id }) => id)
  const stored = await unit.sql.selectFrom('incidents').select('id').where('id', 'in', ids).execute()
  const before = new Set(stored.map(({ id }) => id))
  const added = records.filter(({ id }) => !before.has(id))
  await insertIncidents(unit, target, added.map(periodOf), minutesOf)
  await store.insertMany(
    unit,
    alertsHistory,
    added.filter(({ isListed }) => isListed === true),
  )
}

const periodOf = (record: NewRecord): IncidentRecord => ({
  id: record.id,
  user: textOf(record, 'user'),
  system: textOf(record, 'system'),
  name: textOf(record, 'name'),
  value: Number(record['value'] ?? 0),
  alert_id: textOf(record, 'alert_id'),
  created: textOf(record, 'created'),
  resolved: textOf(record, 'resolved'),
})
