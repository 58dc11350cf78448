import assert from 'node:assert/strict'
import type { Engine } from '../src/records/engine.ts'

/** What holds of alerts at any time, whatever happened: where each stands is said in four places that agree, and each transition was put in the outbox once. */
export async function assertAlertsAgree({ database: { kysely }, store }: Engine): Promise<void> {
  const alerts = await store.loadWhere('alerts', {})
  const firing = alerts
    .filter(({ triggered }) => triggered === true)
    .map(({ id }) => id)
    .toSorted()
  const incidents = await kysely.selectFrom('incidents').selectAll().execute()
  const states = await kysely.selectFrom('alert_states').selectAll().execute()
  const rows = await store.loadWhere('alerts_history', { resolved: '' })
  assert.deepEqual(incidents.flatMap(({ ended, alert }) => (ended === null ? [alert] : [])).toSorted(), firing)
  assert.deepEqual(states.flatMap(({ phase, alert }) => (phase === 'firing' ? [alert] : [])).toSorted(), firing)
  assert.deepEqual(rows.map((row) => row['alert_id']).toSorted(), firing)
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
