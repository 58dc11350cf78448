import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acknowledgeIncident } from '../../src/alerts/incidents/acknowledgement.ts'
import { deleteOldDeliveries } from '../../src/alerts/notifications/delivery-store.ts'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { NoticeBody } from '../../src/alerts/notifications/notice.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'

/** A person with a webhook who gets reminders every 30 minutes, and an incident that fires. */
async function remindedScene(kind: TestDatabaseKind, remindMinutes?: number, more: JsonObject = {}) {
  const stack = new AsyncDisposableStack()
  const peer = stack.use(await httpPeer())
  const scene = stack.use(await notificationScene(kind))
  const [settings] = await scene.engine.store.loadWhere('user_settings', { user: scene.owner.id })
  const webhooks = [`generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{title}}`]
  const setMinutes = async (minutes: number | undefined) => {
    const values = { webhooks, ...more, ...(minutes === undefined ? {} : { remindMinutes: minutes }) }
    await scene.database.write((unit) => scene.engine.store.update(unit, 'user_settings', settings?.id ?? '', { settings: values }))
  }
  await setMinutes(remindMinutes)

  async function fire(incident: string, body: Partial<NoticeBody> = {}): Promise<void> {
    await scene.database.write(async ({ sql }) => {
      const rule = { alert: 'a', owner: scene.owner.id, system: 'web', kind: 'CPU', target: '', threshold: 80, minutes: 10, value: 93 }
      await sql
        .insertInto('incidents')
        .values({ id: incident, ...rule, began: scene.now(), ended: null, ending: '' })
        .execute()
    })
    await scene.tell(incident, 'fired', body)
    await scene.settled()
  }

  return {
    scene,
    setMinutes,
    fire,
    end: async (incident: string) => {
      await scene.database.write(({ sql }) =>
        sql.updateTable('incidents').set({ ended: scene.now(), ending: 'resolved' }).where('id', '=', incident).execute(),
      )
      await scene.tell(incident, 'resolved')
      await scene.settled()
    },
    acknowledge: (id: string, snoozeMinutes?: number) =>
      scene.database.write((unit) =>
        acknowledgeIncident(unit, { id, owner: scene.owner.id }, { by: 'Ada', note: 'on it', snoozeMinutes }, scene.now()),
      ),
    titles: () => peer.received.map(({ body }) => body),
    incident: () => scene.database.kysely.selectFrom('incidents').selectAll().executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const fired = 'web CPU above threshold'
const reminder = `Reminder: ${fired}`

for (const kind of databases) {
  test(`${kind.name}: reminders follow at the person's interval until the alert is over`, async () => {
    await using reminded = await remindedScene(kind, 30)
    const { scene } = reminded
    await reminded.fire('i1')
    await scene.pass(29)
    assert.deepEqual(reminded.titles(), [fired])
    await scene.pass(1)
    await scene.settled()
    await scene.restart()
    await scene.pass(29)
    assert.deepEqual(reminded.titles(), [fired, reminder])
    await scene.pass(1)
    assert.deepEqual(reminded.titles(), [fired, reminder, reminder])
    await reminded.end('i1')
    await scene.pass(300)
    assert.deepEqual(reminded.titles(), [fired, reminder, reminder, 'web CPU below threshold'])
  })

  test(`${kind.name}: an acknowledgement ends the reminders`, async () => {
    await using reminded = await remindedScene(kind, 30)
    await reminded.fire('i1')
    await reminded.scene.pass(30)
    assert.equal(await reminded.acknowledge('i1'), true)
    await reminded.scene.pass(300)
    assert.deepEqual(reminded.titles(), [fired, reminder])
    const { acknowledger, note, snoozed } = await reminded.incident()
    assert.deepEqual([acknowledger, note, snoozed], ['Ada', 'on it', null])
  })

  test(`${kind.name}: after a snooze one reminder follows, and then the person's interval applies`, async () => {
    for (const [minutes, expected] of [
      [undefined, [fired, reminder]],
      [30, [fired, reminder, reminder]],
    ] as const) {
      await using reminded = await remindedScene(kind, minutes)
      await reminded.fire('i1')
      await reminded.acknowledge('i1', 120)
      await reminded.scene.pass(119)
      assert.deepEqual(reminded.titles(), [fired])
      await reminded.scene.pass(1)
      assert.deepEqual(reminded.titles(), [fired, reminder])
      assert.equal((await reminded.incident()).acknowledged, null)
      await reminded.scene.pass(30)
      assert.deepEqual(reminded.titles(), expected)
    }
  })

  test(`${kind.name}: changed settings start, change and stop the reminders of alerts that fire`, async () => {
    await using reminded = await remindedScene(kind)
    await reminded.fire('i1')
    await reminded.scene.pass(100)
    assert.deepEqual(reminded.titles(), [fired])
    await reminded.setMinutes(10)
    await reminded.scene.settled()
    await reminded.scene.pass(10)
    assert.deepEqual(reminded.titles(), [fired, reminder])
    for (const minutes of [0, 4, 1441, Number.MAX_SAFE_INTEGER]) {
      await reminded.setMinutes(minutes)
      await reminded.scene.settled()
      await reminded.scene.pass(2000)
      assert.deepEqual(reminded.titles(), [fired, reminder])
    }
  })

  test(`${kind.name}: a changed interval applies to an alert whose warning a notification rule dropped, and which became critical`, async () => {
    await using reminded = await remindedScene(kind, 30, { notificationRules: [{ severity: 'warning', channels: [] }] })
    const { scene } = reminded
    await reminded.fire('i1', { severity: 'warning' })
    assert.deepEqual(reminded.titles(), [])
    await scene.tell('i1', 'worse', { severity: 'critical' })
    await scene.settled()
    assert.equal(reminded.titles().length, 1)
    await reminded.setMinutes(5)
    await scene.settled()
    await scene.pass(5)
    assert.equal(reminded.titles().length, 2)
  })

  test(`${kind.name}: a reminder that quiet hours hold back is not sent when the alert was acknowledged meanwhile`, async () => {
    await using reminded = await remindedScene(kind, 60)
    const { scene } = reminded
    for (const incident of ['i1', 'i2']) await reminded.fire(incident)
    const night = { user: scene.owner.id, type: 'daily', start: '2026-01-01 12:30:00.000Z', end: '2026-01-01 13:30:00.000Z' }
    await scene.insert('quiet_hours', night)
    await scene.pass(61)
    assert.equal(reminded.titles().length, 2)
    await reminded.acknowledge('i1')
    await scene.pass(31)
    assert.deepEqual(reminded.titles().slice(2), [reminder])
  })

  test(`${kind.name}: reminders go on when the first message is older than a month`, async () => {
    await using reminded = await remindedScene(kind, 1440)
    const { scene } = reminded
    await reminded.fire('i1')
    for (let day = 0; day < 32; day++) await scene.pass(1440)
    assert.equal(reminded.titles().length, 33)
    assert.ok((await deleteOldDeliveries(scene.database, scene.now())) > 0)
    await scene.pass(1440)
    assert.equal(reminded.titles().length, 34)
  })

  test(`${kind.name}: an acknowledgement of an alert that is over changes nothing`, async () => {
    await using reminded = await remindedScene(kind, 30)
    await reminded.fire('i1')
    await reminded.end('i1')
    assert.equal(await reminded.acknowledge('i1', 30), false)
    const { acknowledged, remind } = await reminded.incident()
    assert.equal(acknowledged, null)
    await reminded.scene.pass(31)
    assert.equal(reminded.titles().length, 2)
    assert.notEqual(remind, undefined)
  })
}
