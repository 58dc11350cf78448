import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { databases } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { itemsOf, runningHub } from '../running-hub.ts'
import { behavingSshAgent, bytesOf, documentReply, finish, machineSample } from '../scripted-agent.ts'

for (const kind of databases) {
  test(`${kind.name}: a real hub collects the start and end of an alert, and sends them when the window is shortened`, async () => {
    await using peer = await httpPeer()
    await using hub = await runningHub(kind, ['--app-url=https://hub.example'])
    const { token, id } = hub.admin
    const change = (settings: object) => hub.call(token, 'PATCH /api/account/settings', settings)
    const webhooks = [`gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa?disabletls=yes`]
    assert.equal((await change({ add: { webhooks }, merge: { groupMinutes: 60 } })).status, 200)
    assert.equal((await change({ merge: { groupMinutes: 61 } })).status, 400)

    const { body: about } = await hub.call(token, 'GET /api/beszel/getkey')
    const { promise: alertIsSet, resolve: letSpeak } = Promise.withResolvers<void>()
    let busyPercent = 97
    await using agent = await behavingSshAgent(String(about['key']), {
      behave: async (channel, asked) => {
        await asked
        await alertIsSet
        finish(channel, bytesOf(encodeEnvelope(documentReply({ ...machineSample, cpu: { busyPercent } }))))
      },
    })
    const values = { name: 'web', host: '127.0.0.1', port: String(agent.port), users: [id] }
    const { body: system } = await hub.call(token, 'POST /api/collections/systems/records', values)
    const alert = { user: id, system: system['id'] ?? '', name: 'CPU', value: 80, min: 1 }
    assert.equal((await hub.call(token, 'POST /api/collections/alerts/records', alert)).status, 200)
    letSpeak()
    await hub.until(token, 'GET /api/vedette/incidents?state=firing', (answer) => itemsOf(answer).length === 1)
    busyPercent = 3
    // A change of its address makes the hub poll a system at once.
    await hub.call(token, `PATCH /api/collections/systems/records/${String(system['id'])}`, { host: 'localhost' })
    await hub.until(token, 'GET /api/vedette/incidents?state=over', (answer) => itemsOf(answer).length === 1)
    assert.deepEqual([itemsOf(await hub.call(token, 'GET /api/vedette/deliveries')), peer.received.length], [[], 0])

    assert.equal((await change({ merge: { groupMinutes: 30 } })).status, 200)
    await hub.until(token, 'GET /api/vedette/deliveries', (answer) => itemsOf(answer)[0]?.['state'] === 'delivered')
    const { title, message } = JSON.parse(peer.received[0]?.body ?? '') as { readonly title: string; readonly message: string } // as Gotify gets it
    assert.deepEqual(
      [title, message.split('\n').slice(0, 2)],
      ['2 alerts on web', ['• web CPU above threshold', '• web CPU below threshold']],
    )
    assert.equal(peer.received.length, 1)
  })
}
