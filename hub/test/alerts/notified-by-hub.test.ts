import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { itemsOf, runningHub } from '../running-hub.ts'
import { behavingSshAgent, bytesOf, documentReply, finish, machineSample } from '../scripted-agent.ts'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'

for (const kind of databases) {
  test(`${kind.name}: a sample of an agent fires an alert on its user's channel, and the delivery is listed`, async () => {
    await using peer = await httpPeer()
    await using hub = await runningHub(kind, ['--app-url=https://hub.example'])
    const { token, id } = hub.admin
    const address = `gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa?disabletls=yes`
    const tried = await hub.call(token, 'POST /api/beszel/test-notification', { url: address })
    assert.deepEqual([tried.body, JSON.parse(peer.received[0]?.body ?? '').title], [{ err: false }, 'Test alert'])
    const { body: settings } = await hub.call(token, 'POST /api/collections/user_settings/records', { user: id })
    const saved = { settings: { emails: [], webhooks: [address] } }
    assert.equal((await hub.call(token, `PATCH /api/collections/user_settings/records/${String(settings['id'])}`, saved)).status, 200)

    const { body: about } = await hub.call(token, 'GET /api/beszel/getkey')
    const { promise: alertIsSet, resolve: letSpeak } = Promise.withResolvers<void>()
    await using agent = await behavingSshAgent(String(about['key']), {
      behave: async (channel, asked) => {
        await asked
        await alertIsSet
        finish(channel, bytesOf(encodeEnvelope(documentReply({ ...machineSample, cpu: { busyPercent: 97 } }))))
      },
    })
    const system = { name: 'web', host: '127.0.0.1', port: String(agent.port), users: [id] }
    const { body: created } = await hub.call(token, 'POST /api/collections/systems/records', system)
    const alert = { user: id, system: created['id'] ?? '', name: 'CPU', value: 80, min: 1 }
    assert.equal((await hub.call(token, 'POST /api/collections/alerts/records', alert)).status, 200)
    letSpeak()

    const { items } = (await hub.until(token, 'GET /api/vedette/deliveries', (answer) => itemsOf(answer)[0]?.['state'] === 'delivered'))
      .body
    assert.partialDeepStrictEqual(items, [{ channel: 'Gotify', title: 'web CPU above threshold', attempts: 1, said: '' }])
    const [, told] = peer.received
    const { title, message } = JSON.parse(told?.body ?? '') as { readonly title: string; readonly message: string } // as Gotify gets it
    assert.equal(title, 'web CPU above threshold')
    const [before, link] = message.split('\nAcknowledge: ')
    assert.equal(before, `CPU is 97.00%. The threshold is 80%.\n\nhttps://hub.example/system/${String(created['id'])}`)
    assert.match(link ?? '', /^https:\/\/hub\.example\/acknowledge#[\w.-]+$/)
    const { body: push } = await hub.call(token, 'GET /api/vedette/web-push-key')
    assert.equal(Buffer.from(String(push['key']), 'base64url').length, 65)
  })
}
