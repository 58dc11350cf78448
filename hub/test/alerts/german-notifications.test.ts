import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDeliveries } from '../../src/alerts/notifications/delivery-list.ts'
import { databases } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'
import { itemsOf, runningHub } from '../running-hub.ts'
import { testSmtp } from '../smtp-server.ts'

const hook = (port: number): string => `generic://127.0.0.1:${port}/?disabletls=yes&template={{title}}`

for (const kind of databases) {
  test(`${kind.name}: notifications, emails and the list of deliveries have the language of the settings`, async () => {
    await using peer = await httpPeer()
    await using smtp = await testSmtp()
    await using scene = await notificationScene(kind)
    await scene.sendMail(smtp.port)
    await scene.channels({ language: 'de', webhooks: [hook(peer.port)], emails: ['a@example.com'] })
    await scene.tell('i1')
    await scene.settled()
    await scene.tell('i1', 'resolved', { value: 70 })
    await scene.settled()
    assert.deepEqual(
      peer.received.map(({ body }) => body),
      ['web: CPU-Auslastung über dem Schwellenwert', 'web: CPU-Auslastung unter dem Schwellenwert'],
    )
    const { mail } = await smtp.next()
    assert.equal(mail.subject, 'web: CPU-Auslastung über dem Schwellenwert')
    assert.match(mail.html ?? '', />web ansehen</)
    const titles = async () => (await listDeliveries(scene.engine, { owner: scene.owner.id, most: 10 })).map(({ title }) => title)
    assert.ok((await titles()).includes('web: CPU-Auslastung über dem Schwellenwert'))
    // Any other value is English.
    await scene.channels({ language: 'constructor', webhooks: [hook(peer.port)] })
    await scene.tell('i2')
    await scene.settled()
    assert.equal(peer.received.at(-1)?.body, 'web CPU above threshold')
    assert.ok((await titles()).includes('web CPU above threshold'))
  })

  test(`${kind.name}: the report that a channel fails has the language of the settings`, async () => {
    await using failing = await httpPeer(() => ({ status: 404 }))
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ language: 'de', webhooks: [`gotify://127.0.0.1:${failing.port}/T0ken?disabletls=yes`, hook(peer.port)] })
    await scene.tell('i1')
    await scene.settled()
    assert.ok(peer.received.some(({ body }) => body === 'Benachrichtigungen per Gotify kommen nicht an'))
  })

  test(`${kind.name}: the language is a setting of the account, also for a test message`, async () => {
    await using peer = await httpPeer()
    await using hub = await runningHub(kind, [])
    const { token } = hub.admin
    const tried = async () => {
      await hub.call(token, 'POST /api/beszel/test-notification', { url: hook(peer.port) })
      return peer.received.at(-1)?.body
    }
    assert.equal(await tried(), 'Test alert')
    assert.equal((await hub.call(token, 'PATCH /api/account/settings', { merge: { language: 'de' } })).status, 200)
    assert.equal(await tried(), 'Testnachricht')
    assert.deepEqual(itemsOf(await hub.call(token, 'GET /api/vedette/deliveries')), [])
  })
}
