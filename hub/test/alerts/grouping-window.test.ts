import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { changePersonSettings } from '../../src/alerts/notifications/person-settings.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'

/** A person with two webhooks and the notifier on the scene's clock. */
async function groupingScene(kind: TestDatabaseKind, preferences: { readonly [name: string]: Json } = { groupMinutes: 10 }) {
  const stack = new AsyncDisposableStack()
  const [pager, chat] = [stack.use(await httpPeer()), stack.use(await httpPeer())]
  const scene = stack.use(await notificationScene(kind))
  const hook = ({ port }: { readonly port: number }) => `generic://127.0.0.1:${port}/?disabletls=yes&template=json`
  const addresses = { pager: hook(pager), chat: hook(chat) }
  const choose = (settings: { readonly [name: string]: Json }) =>
    scene.database.write((unit) =>
      changePersonSettings(scene.engine, unit, scene.owner.id, () => ({ webhooks: [addresses.pager], timeZone: 'UTC', ...settings })),
    )
  await choose(preferences)
  await scene.settled()
  const messagesOf = (peer: typeof pager): readonly (readonly string[])[] =>
    peer.received.map(({ body }) => {
      const { title, message } = JSON.parse(body) as { title: string; message: string } // as the generic webhook sends it
      return [title, ...message.split('\n').filter((line) => line.startsWith('•'))]
    })
  return {
    scene,
    addresses,
    choose,
    tell: async (...sent: Parameters<typeof scene.tell>) => {
      await scene.tell(...sent)
      await scene.settled()
    },
    pages: () => messagesOf(pager),
    chats: () => messagesOf(chat),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const on = (systemName: string) => ({ systemName })
const above = (system: string) => `${system} CPU above threshold`
const below = (system: string) => `${system} CPU below threshold`

for (const kind of databases) {
  test(`${kind.name}: notifications within the window join one message, also one that fires and resolves`, async () => {
    await using grouped = await groupingScene(kind)
    await grouped.tell('i1', 'fired', on('a'))
    await grouped.scene.pass(4)
    await grouped.tell('i1', 'resolved', on('a'))
    await grouped.tell('i2', 'fired', on('b'))
    await grouped.scene.pass(5)
    assert.deepEqual(grouped.pages(), [])
    await grouped.scene.restart()
    await grouped.scene.pass(1)
    assert.deepEqual(grouped.pages(), [['3 alerts on 2 systems', `• ${above('a')}`, `• ${above('b')}`, `• ${below('a')}`]])
    // The end of an alert begins the next window. A message about one alert is not a list.
    await grouped.tell('i2', 'resolved', on('b'))
    await grouped.scene.pass(9)
    assert.equal(grouped.pages().length, 1)
    await grouped.scene.pass(1)
    assert.deepEqual(grouped.pages().slice(1), [[below('b')]])
    assert.deepEqual(new Set((await grouped.scene.notices()).map(({ state }) => state)), new Set(['handed']))
  })

  test(`${kind.name}: the window holds for many critical alerts and outages, which are one message without a rate limit`, async () => {
    await using grouped = await groupingScene(kind)
    const fell = Array.from({ length: 4 }, (_, at) => ({
      incident: `down ${at}`,
      transition: 'fired' as const,
      body: { systemName: `s${at}`, kind: 'Status', severity: 'critical' as const },
    }))
    await grouped.scene.tellAll(fell)
    await grouped.scene.settled()
    for (let at = 0; at < 20; at++) await grouped.tell(`cpu ${at}`, 'fired', { ...on('s1'), severity: 'critical' })
    await grouped.scene.pass(10)
    const [message, ...more] = grouped.pages()
    assert.deepEqual([message?.[0], message?.length, more], ['24 alerts on 4 systems', 25, []])
  })

  test(`${kind.name}: systems that go down at different times of a window did not go down together`, async () => {
    await using grouped = await groupingScene(kind, { groupMinutes: 60 })
    for (const system of ['a', 'b', 'c']) {
      await grouped.tell(system, 'fired', { systemName: system, kind: 'Status', beganMs: grouped.scene.now() })
      await grouped.scene.pass(15)
    }
    await grouped.scene.pass(15)
    assert.deepEqual(
      grouped.pages().map(([title]) => title),
      ['3 alerts on 3 systems'],
    )
  })

  test(`${kind.name}: a message to a channel has only the notifications of that channel, and the end of an alert all of its channels`, async () => {
    await using grouped = await groupingScene(kind)
    const { pager, chat } = grouped.addresses
    const notificationRules = [{ severity: 'warning', channels: [chat] }, { channels: [pager] }]
    await grouped.choose({ webhooks: [pager, chat], groupMinutes: 10, notificationRules })
    await grouped.tell('i1', 'fired', { ...on('a'), severity: 'warning' })
    await grouped.tell('i2', 'fired', { ...on('b'), severity: 'critical' })
    await grouped.scene.pass(5)
    await grouped.tell('i1', 'worse', { ...on('a'), severity: 'critical' })
    await grouped.scene.pass(1)
    await grouped.tell('i1', 'resolved', { ...on('a'), severity: 'critical' })
    await grouped.scene.pass(4)
    const [warned, risen] = ['a CPU above warning threshold', 'a CPU above critical threshold']
    assert.deepEqual(grouped.chats(), [['2 alerts on a', `• ${warned}`, `• ${below('a')}`]])
    const lines = ['b CPU above critical threshold', risen, below('a')].map((title) => `• ${title}`)
    assert.deepEqual(grouped.pages(), [['3 alerts on 2 systems', ...lines]])
  })

  test(`${kind.name}: a shorter or removed window ends the open one, with the later notifications of its alerts`, async () => {
    for (const groupMinutes of [5, 0, undefined]) {
      await using grouped = await groupingScene(kind, { groupMinutes: 60 })
      await grouped.tell('i1', 'fired', on('a'))
      await grouped.scene.pass(1)
      await grouped.tell('i1', 'resolved', on('a'))
      assert.deepEqual(grouped.pages(), [])
      await grouped.choose(groupMinutes === undefined ? {} : { groupMinutes })
      await grouped.scene.settled()
      assert.deepEqual(
        grouped.pages().flatMap((lines) => (lines.length > 1 ? lines.slice(1) : lines.map((line) => `• ${line}`))),
        [`• ${above('a')}`, `• ${below('a')}`],
      )
      await grouped.scene.pass(1)
      await grouped.tell('i2', 'fired', on('a'))
      assert.equal((await grouped.scene.deliveries()).length, grouped.pages().length)
    }
  })

  test(`${kind.name}: other settings leave the window open`, async () => {
    await using grouped = await groupingScene(kind)
    await grouped.tell('i1', 'fired', on('a'))
    await grouped.choose({ groupMinutes: 10, language: 'de' })
    await grouped.scene.settled()
    assert.deepEqual(grouped.pages(), [])
    await grouped.scene.pass(10)
    assert.deepEqual(grouped.pages(), [['a: CPU-Auslastung über dem Schwellenwert']])
  })

  test(`${kind.name}: a clock that is set back delays no message by more than the window`, async () => {
    await using grouped = await groupingScene(kind)
    await grouped.tell('i1', 'fired', on('a'))
    grouped.scene.setClock(-300)
    await grouped.scene.settled()
    assert.deepEqual(grouped.pages(), [[above('a')]])
    // The window of an older notification is shortened by the next one.
    grouped.scene.setClock(-60)
    await grouped.scene.tell('i2', 'fired', on('b'))
    grouped.scene.setClock(60)
    await grouped.scene.settled()
    grouped.scene.setClock(-50)
    await grouped.tell('i3', 'fired', on('c'))
    await grouped.scene.pass(10)
    assert.deepEqual(grouped.pages().slice(1), [['2 alerts on 2 systems', `• ${above('b')}`, `• ${above('c')}`]])
  })

  test(`${kind.name}: quiet hours that begin within the window hold it back, and those that end begin a window`, async () => {
    await using grouped = await groupingScene(kind)
    const night = { user: grouped.scene.owner.id, type: 'daily', start: '2026-01-01 12:05:00.000Z', end: '2026-01-01 13:00:00.000Z' }
    await grouped.scene.insert('quiet_hours', night)
    await grouped.tell('i1', 'fired', on('a'))
    await grouped.scene.pass(10)
    await grouped.tell('i2', 'fired', on('b'))
    await grouped.scene.pass(50)
    assert.deepEqual(grouped.pages(), [])
    await grouped.scene.pass(10)
    assert.deepEqual(grouped.pages(), [['2 alerts on 2 systems', `• ${above('a')}`, `• ${above('b')}`]])
  })

  test(`${kind.name}: reminders join the window, and those of an alert that ended in it are not sent`, async () => {
    await using grouped = await groupingScene(kind)
    await grouped.scene.insert('systems', { id: 'a', name: 'a', status: 'up', host: 'a', users: [grouped.scene.owner.id], info: {} })
    const { owner } = grouped.scene
    const began = grouped.scene.now()
    const incident = { alert: 'a1', owner: owner.id, system: 'a', kind: 'CPU', target: '', threshold: 80, minutes: 10, value: 93 }
    const rows = ['i1', 'i2'].map((id) => ({ ...incident, id, severity: 'critical', began, ended: null, ending: '' }))
    await grouped.scene.database.write(({ sql }) => sql.insertInto('incidents').values(rows).execute())
    await grouped.choose({ groupMinutes: 10, remindMinutes: 30 })
    for (const { id } of rows) await grouped.tell(id, 'fired', on('a'))
    await grouped.scene.pass(10)
    assert.equal(grouped.pages().length, 1)
    await grouped.scene.pass(30)
    assert.equal(grouped.pages().length, 1)
    await grouped.scene.database.write(({ sql }) =>
      sql.updateTable('incidents').set({ ended: grouped.scene.now() }).where('id', '=', 'i2').execute(),
    )
    await grouped.tell('i2', 'resolved', on('a'))
    await grouped.scene.pass(10)
    assert.deepEqual(grouped.pages().slice(1), [['2 alerts on a', `• Reminder: ${above('a')}`, `• ${below('a')}`]])
  })

  test(`${kind.name}: a system that is shared no more is not in the message of its window`, async () => {
    await using grouped = await groupingScene(kind)
    await grouped.tell('i1', 'fired', on('a'))
    await grouped.tell('i2', 'fired', on('b'))
    await grouped.scene.remove('systems', 'b')
    await grouped.scene.pass(10)
    assert.deepEqual(grouped.pages(), [[above('a')]])
  })

  test(`${kind.name}: a window that is no number from 0 to 60 is refused, and a stored one of another version is ignored`, async () => {
    await using grouped = await groupingScene(kind)
    for (const groupMinutes of [61, -1, 1.5, '10', [10], true]) await assert.rejects(grouped.choose({ groupMinutes }), /Failed to update/)
    await grouped.scene.channels({ webhooks: [grouped.addresses.pager], groupMinutes: 600 })
    await grouped.choose({ groupMinutes: 600 })
    await grouped.tell('i1', 'fired', on('a'))
    assert.deepEqual(grouped.pages(), [[above('a')]])
  })

  test(`${kind.name}: a rule that mutes warnings does not lose the critical alert in a window`, async () => {
    await using grouped = await groupingScene(kind, { groupMinutes: 10, notificationRules: [{ severity: 'warning', channels: [] }] })
    const { database, now } = grouped.scene
    await grouped.tell('i1', 'fired', { ...on('a'), severity: 'warning' })
    await grouped.scene.pass(10)
    assert.deepEqual(grouped.pages(), [])
    await grouped.tell('i1', 'worse', { ...on('a'), severity: 'critical' })
    await grouped.scene.pass(5)
    const rule = { alert: 'a', owner: grouped.scene.owner.id, system: 'a', kind: 'CPU', target: '', threshold: 80, minutes: 10, value: 93 }
    await database.write(({ sql }) =>
      sql
        .insertInto('incidents')
        .values({ id: 'i1', ...rule, began: now(), ended: now(), ending: 'resolved', severity: 'critical' })
        .execute(),
    )
    await grouped.tell('i1', 'resolved', { ...on('a'), severity: 'critical' })
    await grouped.scene.pass(5)
    assert.deepEqual(grouped.pages(), [['2 alerts on a', '• a CPU above critical threshold', `• ${below('a')}`]])
  })

  test(`${kind.name}: an alert that is closed within the window is not sent`, async () => {
    await using grouped = await groupingScene(kind)
    const { database, now } = grouped.scene
    await grouped.tell('i1', 'fired', on('a'))
    const rule = { alert: 'a', owner: grouped.scene.owner.id, system: 'a', kind: 'CPU', target: '', threshold: 80, minutes: 10, value: 93 }
    await database.write(({ sql }) =>
      sql
        .insertInto('incidents')
        .values({ id: 'i1', ...rule, began: now(), ended: now(), ending: 'closed', severity: 'critical' })
        .execute(),
    )
    await grouped.scene.pass(10)
    assert.deepEqual(grouped.pages(), [])
  })

  test(`${kind.name}: a window has one reminder of an alert`, async () => {
    await using grouped = await groupingScene(kind, { groupMinutes: 30, remindMinutes: 5 })
    const { database, now } = grouped.scene
    const rule = { alert: 'a', owner: grouped.scene.owner.id, system: 'a', kind: 'CPU', target: '', threshold: 80, minutes: 10, value: 93 }
    await database.write(({ sql }) =>
      sql
        .insertInto('incidents')
        .values({ id: 'i1', ...rule, began: now(), ended: null, ending: '', severity: 'critical' })
        .execute(),
    )
    await grouped.tell('i1', 'fired', on('a'))
    await grouped.scene.pass(30)
    assert.equal(grouped.pages().length, 1)
    for (let minute = 0; minute < 40; minute += 5) await grouped.scene.pass(5)
    assert.deepEqual(grouped.pages().slice(1), [[`Reminder: ${above('a')}`]])
  })
}
