import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'

const KEY = '0123456789abcdef0123456789abcdef'

type Peer = Awaited<ReturnType<typeof httpPeer>>
type SentEvent = { readonly dedup_key: string; readonly event_action: string; readonly payload?: { readonly summary: string } }
const eventsOf = ({ received }: Peer): readonly SentEvent[] => received.map(({ body }) => JSON.parse(body))
const actionsOf = (peer: Peer) => eventsOf(peer).map((event) => [event.dedup_key, event.event_action])

for (const kind of databases) {
  test(`${kind.name}: PagerDuty receives the start, the reminder and the end of an alert with one key`, async () => {
    await using peer = await httpPeer(() => ({ status: 202, body: '{"status":"success"}' }))
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [`pagerduty://127.0.0.1:${peer.port}/${KEY}?scheme=http`] })
    await scene.tell('i1')
    await scene.settled()
    await scene.tell('i1', 'reminder', { lastedMinutes: 30 })
    await scene.settled()
    await scene.tell('i1', 'resolved', { value: 70 })
    await scene.settled()
    await scene.tell('i2')
    await scene.settled()
    assert.deepEqual(actionsOf(peer), [
      ['i1', 'trigger'],
      ['i1', 'trigger'],
      ['i1', 'resolve'],
      ['i2', 'trigger'],
    ])
    assert.equal(eventsOf(peer)[1]?.payload?.summary, 'Reminder: web CPU above threshold')
  })

  test(`${kind.name}: a message about more alerts than one attempt sends is sent without a pause, and reports no failure`, async () => {
    await using peer = await httpPeer(() => ({ status: 202, body: '{"status":"success"}' }))
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [`pagerduty://127.0.0.1:${peer.port}/${KEY}?scheme=http`] })
    const names = Array.from({ length: 130 }, (_, at) => `s${at}`)
    await scene.tellAll(names.map((name) => ({ incident: name, transition: 'fired', body: { systemName: name, kind: 'Status' } })))
    await scene.settled()
    assert.deepEqual(
      eventsOf(peer)
        .map((event) => event.dedup_key)
        .toSorted(),
      names.toSorted(),
    )
    assert.deepEqual(
      (await scene.deliveries()).map(({ state, said }) => [state, said]),
      [['delivered', '']],
    )
  })

  test(`${kind.name}: systems that go down together are one event each, and come back one by one`, async () => {
    await using peer = await httpPeer(() => ({ status: 202, body: '{"status":"success"}' }))
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [`pagerduty://127.0.0.1:${peer.port}/${KEY}?scheme=http`] })
    const down = (name: string) => ({ incident: `i-${name}`, transition: 'fired', body: { systemName: name, kind: 'Status' } }) as const
    await scene.tellAll(['a', 'b', 'c'].map(down))
    await scene.settled()
    assert.equal((await scene.deliveries()).length, 1)
    assert.deepEqual(
      actionsOf(peer).toSorted(),
      ['i-a', 'i-b', 'i-c'].map((id) => [id, 'trigger']),
    )
    await scene.tell('i-b', 'resolved', { systemName: 'b', kind: 'Status' })
    await scene.settled()
    assert.deepEqual(actionsOf(peer).slice(3), [['i-b', 'resolve']])
    assert.match(eventsOf(peer)[0]?.payload?.summary ?? '', /^Connection to [abc] is down/)
  })
}
