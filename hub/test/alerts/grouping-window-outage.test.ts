import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNotifier } from '../../src/alerts/notifications/notifier.ts'
import { settingsOf } from '../../src/settings/settings.ts'
import { alertScene } from '../alert-scene.ts'
import { databases, silentLog, type TestDatabaseKind } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { webPushKey } from '../told-channel.ts'

/** A person with a webhook, a grouping window of 10 minutes and the alerts CPU and Status on `web`. Two notifiers share the database. */
async function sharedScene(kind: TestDatabaseKind) {
  const stack = new AsyncDisposableStack()
  const peer = stack.use(await httpPeer())
  const scene = stack.use(await alertScene(kind))
  const { engine, owner, bus, system } = scene
  const hook = `generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{message}}`
  await scene.insert('user_settings', { user: owner.id, settings: { webhooks: [hook], groupMinutes: 10 } })
  const settings = settingsOf(engine.database, engine.secrets)
  const parts = { engine, settings, bus, webPushKey, appUrl: 'https://hub.example/', internalDestinations: true, log: silentLog }
  const notifiers = [await startNotifier(parts), await startNotifier(parts)]
  for (const notifier of notifiers) stack.defer(() => notifier.close())
  await scene.addAlert({ system: system.id, name: 'CPU', value: 80, min: 1 })
  await scene.addAlert({ system: system.id, name: 'Status', min: 1 })
  return {
    scene,
    settled: async () => {
      for (const notifier of notifiers) notifier.wake()
      await Promise.all(notifiers.map((notifier) => notifier.settled()))
    },
    received: () => peer.received.map(({ body }) => body.split('\\n')),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

for (const kind of databases) {
  test(`${kind.name}: two notifiers send one message, with an alert that began before the outage of its system`, async () => {
    await using shared = await sharedScene(kind)
    const { scene } = shared
    await scene.measure({ cpu: { busyPercent: 95 } })
    await shared.settled()
    await scene.goDown()
    scene.pass(1)
    await scene.decideDue()
    scene.pass(2)
    await shared.settled()
    assert.deepEqual(shared.received(), [])
    scene.pass(7)
    await shared.settled()
    assert.deepEqual(shared.received(), [['• web CPU above threshold', '• Connection to web is down \u{1F534}']])
  })

  test(`${kind.name}: an alert that ends before the outage of its system is in the message`, async () => {
    await using shared = await sharedScene(kind)
    const { scene } = shared
    await scene.measure({ cpu: { busyPercent: 95 } })
    await shared.settled()
    await scene.measure({ cpu: { busyPercent: 10 } })
    await shared.settled()
    await scene.goDown()
    scene.pass(1)
    await scene.decideDue()
    scene.pass(10)
    await shared.settled()
    const [above, below, down] = ['web CPU above threshold', 'web CPU below threshold', 'Connection to web is down \u{1F534}']
    assert.deepEqual(shared.received(), [[`• ${above}`, `• ${below}`, `• ${down}`]])
  })
}
