import assert from 'node:assert/strict'
import type { Engine } from '../src/records/engine/engine.ts'
import { textOf } from '../src/records/model/stored-record.ts'

/** Invariants of alerts: the four tables with their state agree, and each transition is in the outbox exactly once. */
export async function assertAlertsAgree({ database: { kysely }, store }: Engine): Promise<void> {
  const alerts = await store.loadWhere('alerts', {})
  const firing = new Set(alerts.flatMap(({ id, triggered }) => (triggered === true ? [id] : [])))
  const incidents = await kysely.selectFrom('incidents').selectAll().execute()
  const states = await kysely.selectFrom('alert_states').selectAll().execute()
  const rows = await store.loadWhere('alerts_history', { resolved: '' })
  const ongoing = incidents.flatMap(({ ended, alert, id }) => (ended === null ? [`${alert} ${id}`] : [])).toSorted()
  assert.deepEqual(new Set(ongoing.map((one) => one.slice(0, one.indexOf(' ')))), firing)
  assert.deepEqual(states.flatMap(({ phase, alert, incident }) => (phase === 'firing' ? [`${alert} ${incident}`] : [])).toSorted(), ongoing)
  assert.deepEqual(rows.map((row) => `${textOf(row, 'alert_id')} ${row.id}`).toSorted(), ongoing)
  const known = new Set(alerts.map(({ id }) => id))
  assert.ok(
    states.every(({ alert }) => known.has(alert)),
    'no state outlives its alert',
  )
  const notices = await kysely.selectFrom('notices').select(['incident', 'transition']).execute()
  const told = Map.groupBy(notices, ({ incident }) => incident)
  for (const { id, ending } of incidents) {
    const transitions = (told.get(id) ?? []).map(({ transition }) => transition).toSorted()
    assert.deepEqual(transitions, ending === 'resolved' ? ['fired', 'resolved'] : ['fired'])
  }
  assert.equal(told.size, incidents.length, 'nothing is told of what there was not')
}
