import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDeliveries } from '../../src/alerts/notifications/delivery-list.ts'
import { databases } from '../databases.ts'
import { startMosquitto, withMosquitto } from '../mosquitto.ts'
import { notificationScene } from '../notification-scene.ts'

const login = { user: 'ann', password: 'S3cretOfAnn' }
const TEXT =
  'web CPU above threshold\n\nCPU averaged 93.20% for the previous 10 minutes. The threshold is 80%.\n\nhttps://hub.example/system/web'

for (const kind of databases) {
  test(
    `${kind.name}: a real MQTT broker receives a notification in plain and by TLS, and stores a retained one`,
    withMosquitto,
    async () => {
      await using mosquitto = await startMosquitto(login)
      await using scene = await notificationScene(kind)
      const at = (port: number) => `${login.user}:${login.password}@127.0.0.1:${port}`
      await scene.channels({
        webhooks: [
          `mqtt://${at(mosquitto.port)}/home/alerts`,
          `mqtts://${at(mosquitto.tlsPort)}/by-tls?disabletlsverification=yes&retained=yes&clientid=hub-1`,
        ],
      })
      await scene.tell('i1')
      await scene.settled()
      assert.deepEqual(
        (await scene.deliveries()).map(({ kind: name, state }) => [name, state]),
        [
          ['MQTT', 'delivered'],
          ['MQTT', 'delivered'],
        ],
      )
      await mosquitto.subscriber.says(/home\/alerts q1 r0[^]*https/)
      await mosquitto.subscriber.says(/by-tls q1 r\d[^]*https/)
      assert.ok(mosquitto.subscriber.said().includes(`home/alerts q1 r0 ${TEXT}`), mosquitto.subscriber.said())
      await mosquitto.broker.says(/Received PUBLISH from hub-1 \(d0, q1, r1, m1, 'by-tls'/)
      // A proper end of each connection, instead of a lost one.
      await mosquitto.broker.says(/Received DISCONNECT from hub-1/)
      await mosquitto.broker.says(/Received DISCONNECT from vedette[0-9a-f]{16}/)
    },
  )

  test(
    `${kind.name}: a broker that rejects the password ends the delivery, and its list and texts have no password`,
    withMosquitto,
    async () => {
      await using mosquitto = await startMosquitto(login)
      await using scene = await notificationScene(kind)
      await scene.channels({ webhooks: [`mqtt://ann:wr0ngPassword@127.0.0.1:${mosquitto.port}/t`] })
      await scene.tell('i1')
      await scene.settled()
      const [row] = await scene.deliveries()
      assert.deepEqual([row?.kind, row?.state], ['MQTT', 'refused'])
      const items = await listDeliveries(scene.engine, { owner: scene.owner.id, most: 10 })
      assert.match(JSON.stringify(items), /the server rejected the user name or the password|does not authorize/)
      assert.ok(!JSON.stringify(items).includes('wr0ngPassword'))
    },
  )

  test(`${kind.name}: a person who is no admin cannot publish to a broker in an internal network`, withMosquitto, async () => {
    await using mosquitto = await startMosquitto(login)
    await using scene = await notificationScene(kind, 'user')
    await scene.channels({ webhooks: [`mqtt://${login.user}:${login.password}@127.0.0.1:${mosquitto.port}/t`] })
    await scene.tell('i1')
    await scene.settled()
    const [row] = await scene.deliveries()
    assert.deepEqual([row?.state, row?.said], ['refused', 'Only admins can send to internal destinations.'])
    assert.doesNotMatch(mosquitto.broker.said(), /as vedette/)
  })
}
