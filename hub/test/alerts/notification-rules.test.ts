import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { changePersonSettings } from '../../src/alerts/notifications/person-settings.ts'
import { tagFields } from '../../src/records/model/tag.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'

/** A person with two webhooks, and the systems `db` with a tag of an admin, `fake` with the same tag of its agent, and `lab`. */
async function ruledScene(kind: TestDatabaseKind) {
  const stack = new AsyncDisposableStack()
  const [pager, chat] = [stack.use(await httpPeer()), stack.use(await httpPeer())]
  const scene = stack.use(await notificationScene(kind))
  const hook = ({ port }: { readonly port: number }) => `generic://127.0.0.1:${port}/?disabletls=yes&template={{title}}`
  const addresses = { pager: hook(pager), chat: hook(chat) }
  for (const [id, source] of [
    ['db', 'admin'],
    ['fake', 'agent'],
    ['lab', undefined],
  ] as const) {
    const tags = tagFields(source === undefined ? [] : [{ tag: 'env=prod', sources: [source] }])
    await scene.insert('systems', { id, name: id, status: 'up', host: id, users: [scene.owner.id], info: {}, ...tags })
  }
  return {
    scene,
    addresses,
    setRules: (notificationRules: Json, webhooks: Json = [addresses.pager, addresses.chat]) =>
      scene.database.write((unit) =>
        changePersonSettings(scene.engine, unit, scene.owner.id, () => ({ webhooks, notificationRules, timeZone: 'UTC' })),
      ),
    tell: async (systemName: string, incident: string, transition: 'fired' | 'resolved' = 'fired', severity?: 'warning') => {
      await scene.tell(incident, transition, { systemName, ...(severity === undefined ? {} : { severity }) })
      await scene.settled()
    },
    pages: () => pager.received.map(({ body }) => body),
    chats: () => chat.received.map(({ body }) => body),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const above = (system: string) => `${system} CPU above threshold`

for (const kind of databases) {
  test(`${kind.name}: rules choose the channels by trusted tag and severity, and the first that matches decides`, async () => {
    await using ruled = await ruledScene(kind)
    const { pager, chat } = ruled.addresses
    await ruled.setRules([
      { severity: 'warning', channels: [chat] },
      { tag: 'env=prod', channels: [pager] },
      { tag: 'env=lab', channels: [] },
    ])
    await ruled.tell('db', 'i1')
    await ruled.tell('db', 'i2', 'fired', 'warning')
    await ruled.tell('fake', 'i3')
    assert.deepEqual(ruled.pages(), [above('db'), above('fake')])
    assert.deepEqual(ruled.chats(), ['db CPU above warning threshold', above('fake')])
  })

  test(`${kind.name}: a rule without channels sends nothing, and one whose channels were removed sends to all`, async () => {
    await using ruled = await ruledScene(kind)
    const { pager, chat } = ruled.addresses
    await ruled.setRules([{ tag: 'env=prod', channels: [] }, { channels: ['ntfy://gone'] }])
    await ruled.tell('db', 'i1')
    await ruled.tell('lab', 'i2')
    assert.deepEqual([ruled.pages(), ruled.chats()], [[above('lab')], [above('lab')]])
    await ruled.setRules([{ channels: [pager] }], [chat])
    await ruled.tell('lab', 'i3')
    assert.deepEqual(ruled.chats(), [above('lab'), above('lab')])
  })

  test(`${kind.name}: a "resolved" goes to the channels that got the alert, also at another hour`, async () => {
    await using ruled = await ruledScene(kind)
    const { pager, chat } = ruled.addresses
    // The scene begins at 12:00 UTC.
    await ruled.setRules([{ from: '11:00', to: '13:00', channels: [pager] }, { channels: [chat] }])
    await ruled.tell('lab', 'i1')
    await ruled.scene.pass(120)
    await ruled.tell('lab', 'i1', 'resolved')
    await ruled.tell('lab', 'i2')
    assert.deepEqual(ruled.pages(), [above('lab'), 'lab CPU below threshold'])
    assert.deepEqual(ruled.chats(), [above('lab')])
  })

  test(`${kind.name}: a "resolved" goes to the channels of a reminder, and to those that got the alert before rules were changed`, async () => {
    await using ruled = await ruledScene(kind)
    const { pager, chat } = ruled.addresses
    const rules = [{ from: '11:00', to: '13:00', channels: [chat] }, { channels: [pager] }]
    await ruled.setRules(rules)
    await ruled.tell('lab', 'i1')
    await ruled.scene.pass(120)
    await ruled.scene.tell('i1', 'reminder', { systemName: 'lab' })
    await ruled.scene.settled()
    assert.deepEqual([ruled.pages(), ruled.chats()], [[`Reminder: ${above('lab')}`], [above('lab')]])
    await ruled.setRules([{ channels: [] }])
    await ruled.tell('lab', 'i1', 'resolved')
    assert.deepEqual([ruled.pages().length, ruled.chats().length], [2, 2])
  })

  test(`${kind.name}: messages that no channel gets do not delay others, and their end is not sent`, async () => {
    await using ruled = await ruledScene(kind)
    const { pager } = ruled.addresses
    await ruled.setRules([{ tag: 'env=prod', channels: [pager] }, { channels: [] }])
    for (let at = 0; at < 12; at++) await ruled.tell('lab', `lab ${at}`)
    await ruled.tell('db', 'i1')
    assert.deepEqual(ruled.pages(), [above('db')])
    await ruled.setRules([{ channels: [pager] }])
    await ruled.tell('lab', 'lab 0', 'resolved')
    assert.deepEqual(ruled.pages(), [above('db')])
  })

  test(`${kind.name}: a rule for email sends to nobody else while the hub sends no mail`, async () => {
    await using ruled = await ruledScene(kind)
    const { pager, chat } = ruled.addresses
    await ruled.scene.channels({
      webhooks: [pager, chat],
      emails: ['me@example.com'],
      notificationRules: [{ channels: ['me@example.com'] }],
    })
    await ruled.tell('lab', 'i1')
    assert.deepEqual([ruled.pages(), ruled.chats()], [[], []])
  })

  test(`${kind.name}: a message about many alerts names to each channel only its own`, async () => {
    await using ruled = await ruledScene(kind)
    const { pager, chat } = ruled.addresses
    await ruled.setRules([{ tag: 'env=prod', channels: [pager] }, { channels: [chat] }])
    const down = (systemName: string) => ({ incident: systemName, transition: 'fired' as const, body: { systemName, kind: 'Status' } })
    await ruled.scene.tellAll(['db', 'lab', 'web', 'mail'].map(down))
    await ruled.scene.settled()
    assert.deepEqual(ruled.pages(), ['Connection to db is down \u{1F534}'])
    assert.deepEqual(ruled.chats(), ['Connection to 3 systems is down \u{1F534}'])
  })

  test(`${kind.name}: rules that are invalid are refused, and stored ones of another version are ignored`, async () => {
    await using ruled = await ruledScene(kind)
    const { pager, chat } = ruled.addresses
    await assert.rejects(ruled.setRules([{ channels: 'all' }]), /Failed to update/)
    await ruled.scene.channels({ webhooks: [pager, chat], notificationRules: [{ weekday: 1, channels: [] }] })
    // Other settings can be changed beside them.
    await ruled.setRules([{ weekday: 1, channels: [] }])
    await assert.rejects(ruled.setRules([{ weekday: 2, channels: [] }]), /Failed to update/)
    await ruled.tell('lab', 'i1')
    assert.deepEqual([ruled.pages(), ruled.chats()], [[above('lab')], [above('lab')]])
    // The others apply, and can be changed beside it.
    await ruled.setRules([{ weekday: 1, channels: [] }, { channels: [pager] }])
    await ruled.tell('lab', 'i2')
    assert.deepEqual([ruled.pages().length, ruled.chats().length], [2, 1])
  })
}
