import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acknowledgeIncident } from '../../src/alerts/incidents/acknowledgement.ts'
import { listIncidents } from '../../src/alerts/incidents/incident-list.ts'
import { startNotifier } from '../../src/alerts/notifications/notifier.ts'
import { setUserAlerts } from '../../src/alerts/rules/user-alerts.ts'
import type { RecordValues } from '../../src/records/model/record-store.ts'
import { createRecord } from '../../src/records/writing/write.ts'
import { settingsOf } from '../../src/settings/settings.ts'
import { alertScene } from '../alert-scene.ts'
import { databases, silentLog, type TestDatabaseKind } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { webPushKey } from '../told-channel.ts'

const TWO_LEVELS = { threshold: 90, minutes: 1, warning: 70, warningMinutes: 1 } as const

/** A person with a webhook and a policy about CPU on everything, one system, and the notifier on the scene's clock. */
async function severityScene(kind: TestDatabaseKind, values: RecordValues[string], name = 'CPU') {
  const stack = new AsyncDisposableStack()
  const peer = stack.use(await httpPeer())
  const scene = stack.use(await alertScene(kind))
  const { engine, owner, bus } = scene
  const { database } = engine
  const hook = `generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{title}}`
  await scene.insert('user_settings', { user: owner.id, settings: { webhooks: [hook], remindMinutes: 30 } })
  const settings = settingsOf(database, engine.secrets)
  const parts = { engine, settings, bus, webPushKey, appUrl: 'https://hub.example/', internalDestinations: true, log: silentLog }
  const notifier = await startNotifier(parts)
  stack.defer(() => notifier.close())
  const facts = { actor: owner, context: 'default', method: 'POST', query: {}, headers: {} } as const
  const policies = engine.collections.find('alert_policies')
  assert.ok(policies !== undefined)
  const setPolicy = (body: RecordValues) => createRecord(engine, policies, { ...facts, body: { user: owner.id, name, ...body } })
  const policy = await setPolicy({ values })

  async function settled(): Promise<void> {
    notifier.wake()
    await notifier.settled()
  }

  return {
    scene,
    policy,
    setPolicy,
    settled,
    measure: async (...busy: readonly number[]) => {
      for (const busyPercent of busy) {
        await scene.measure({ cpu: { busyPercent } })
        await settled()
      }
    },
    titles: () => peer.received.map(({ body }) => body),
    incidents: async () => (await listIncidents(engine, { owner: owner.id, facts, most: 9 })).toReversed(),
    acknowledge: (id: string) =>
      database.write((unit) =>
        acknowledgeIncident(unit, { id, owner: owner.id }, { by: 'Ada', note: '', snoozeMinutes: undefined }, scene.now()),
      ),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const warned = 'web CPU above warning threshold'
const risen = 'web CPU above critical threshold'
const resolved = 'web CPU below threshold'

for (const kind of databases) {
  test(`${kind.name}: a warning becomes critical once in one incident, and resolves within the first threshold`, async () => {
    await using severe = await severityScene(kind, TWO_LEVELS)
    await severe.measure(60, 80, 85)
    assert.deepEqual(severe.titles(), [warned])
    await severe.scene.restart()
    await severe.measure(95, 96, 80, 95, 75)
    assert.deepEqual(severe.titles(), [warned, risen])
    await severe.scene.restart()
    await severe.measure(70, 60)
    assert.deepEqual(severe.titles(), [warned, risen, resolved])
    const [incident, ...more] = await severe.incidents()
    assert.deepEqual(more, [])
    assert.deepEqual([incident?.severity, incident?.threshold, incident?.value, incident?.ending], ['critical', 70, 80, 'resolved'])
    await severe.measure(95, 60)
    assert.deepEqual(severe.titles().slice(3), [risen, resolved])
    await severe.measure(75)
    assert.deepEqual(
      (await severe.incidents()).map(({ severity, threshold }) => [severity, threshold]),
      [
        ['critical', 70],
        ['critical', 90],
        ['warning', 70],
      ],
    )
    assert.deepEqual(await severe.scene.clientHistory(), [
      { name: 'CPU', over: true },
      { name: 'CPU', over: true },
      { name: 'CPU', over: false },
    ])
  })

  test(`${kind.name}: each of two thresholds has its own minutes`, async () => {
    await using severe = await severityScene(kind, { ...TWO_LEVELS, warningMinutes: 3, clear: 50 })
    await severe.measure(10, 80, 80)
    assert.deepEqual(severe.titles(), [])
    await severe.measure(80, 95, 60, 55, 51)
    assert.deepEqual(severe.titles(), [warned, risen])
    await severe.measure(40, 40, 40)
    assert.deepEqual(severe.titles(), [warned, risen, resolved])
  })

  test(`${kind.name}: an acknowledged warning that becomes critical is not acknowledged any more, and its reminders name it`, async () => {
    await using severe = await severityScene(kind, TWO_LEVELS)
    await severe.measure(80)
    const [incident] = await severe.incidents()
    assert.equal(await severe.acknowledge(incident?.id ?? ''), true)
    await severe.measure(95)
    assert.equal((await severe.incidents())[0]?.acknowledged, null)
    severe.scene.pass(30)
    await severe.settled()
    assert.deepEqual(severe.titles(), [warned, risen, `Reminder: ${risen}`])
  })

  test(`${kind.name}: a rise in quiet hours is sent after them, unless the alert is over by then`, async () => {
    for (const [busy, expected] of [
      [95, [warned, risen]],
      [10, [warned, resolved]],
    ] as const) {
      await using severe = await severityScene(kind, TWO_LEVELS)
      await severe.measure(80)
      const night = { user: severe.scene.owner.id, type: 'daily', start: '2026-01-01 12:02:00.000Z', end: '2026-01-01 13:00:00.000Z' }
      await severe.scene.insert('quiet_hours', night)
      await severe.measure(95, 96, busy)
      assert.deepEqual(severe.titles(), [warned])
      severe.scene.pass(60)
      await severe.settled()
      assert.deepEqual(severe.titles(), expected)
    }
  })

  test(`${kind.name}: a warning and its rise that quiet hours hold back are sent in order when the quiet hours are deleted`, async () => {
    await using severe = await severityScene(kind, TWO_LEVELS)
    const night = { user: severe.scene.owner.id, type: 'daily', start: '2026-01-01 12:00:00.000Z', end: '2026-01-01 13:00:00.000Z' }
    const { id } = await severe.scene.insert('quiet_hours', night)
    await severe.measure(80, 95)
    await severe.scene.remove('quiet_hours', id)
    await severe.measure(96)
    assert.deepEqual(severe.titles(), [warned, risen])
    await severe.measure(10)
    severe.scene.pass(90)
    await severe.settled()
    assert.deepEqual(severe.titles(), [warned, risen, resolved])
  })

  test(`${kind.name}: an alert of a policy that the user sets has only the threshold of the user`, async () => {
    await using severe = await severityScene(kind, TWO_LEVELS)
    await severe.measure(80)
    const { engine, owner, system } = severe.scene
    const facts = { actor: owner, context: 'default', method: 'POST', query: {}, headers: {} } as const
    await setUserAlerts(engine, facts, owner, { name: 'CPU', value: 99, min: 1, systems: [system.id], overwrite: true })
    await severe.measure(10, 80, 95)
    assert.equal((await severe.incidents()).length, 1)
    const [alert] = await engine.store.loadWhere('alerts', {})
    assert.deepEqual([alert?.['value'], alert?.['warning'], alert?.['warningMinutes'], alert?.['triggered']], [99, 0, 0, false])
  })

  test(`${kind.name}: an alert that begins, rises and ends in quiet hours sends nothing`, async () => {
    await using severe = await severityScene(kind, TWO_LEVELS)
    const night = { user: severe.scene.owner.id, type: 'daily', start: '2026-01-01 12:00:00.000Z', end: '2026-01-01 13:00:00.000Z' }
    await severe.scene.insert('quiet_hours', night)
    await severe.measure(80, 95, 10)
    severe.scene.pass(90)
    await severe.settled()
    assert.deepEqual(severe.titles(), [])
    const states = await severe.scene.notices()
    assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(['quiet']))
  })

  test(`${kind.name}: the severity of a rule without two thresholds is that of its incidents`, async () => {
    await using severe = await severityScene(kind, { severity: 'warning', minutes: 1 }, 'Status')
    await severe.scene.goDown()
    severe.scene.pass(1)
    await severe.scene.decideDue()
    severe.scene.pass(1)
    await severe.settled()
    assert.deepEqual(severe.titles(), ['Connection to web is down \u{1F7E0}'])
    assert.deepEqual(
      (await severe.incidents()).map(({ severity }) => severity),
      ['warning'],
    )
  })

  test(`${kind.name}: an edited policy moves the thresholds of an alert that fires`, async () => {
    await using severe = await severityScene(kind, TWO_LEVELS)
    await severe.measure(80)
    await severe.scene.change('alert_policies', severe.policy.id, { values: { ...TWO_LEVELS, threshold: 80 } })
    await severe.measure(79, 85)
    assert.deepEqual(severe.titles(), [warned, risen])
    for (const values of [{ severity: 'fatal' }, { warning: '70' }, { warningMinutes: 61 }, { warningMinutes: 0 }])
      await assert.rejects(severe.setPolicy({ values, name: 'Memory' }), /Failed to create/)
  })

  test(`${kind.name}: a warning whose policy loses its first threshold becomes critical beyond the second`, async () => {
    await using severe = await severityScene(kind, TWO_LEVELS)
    await severe.measure(80)
    await severe.scene.change('alert_policies', severe.policy.id, { values: { threshold: 70, minutes: 1 } })
    await severe.measure(85)
    assert.deepEqual(severe.titles(), [warned, 'web CPU above threshold'])
    const [incident] = await severe.incidents()
    assert.equal(incident?.severity, 'critical')
  })
}
