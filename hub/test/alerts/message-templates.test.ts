import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { changePersonSettings } from '../../src/alerts/notifications/person-settings.ts'
import { databases } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'
import { itemsOf, runningHub } from '../running-hub.ts'
import { behavingSshAgent, bytesOf, documentReply, finish, machineSample } from '../scripted-agent.ts'
import { testSmtp } from '../smtp-server.ts'

const hook = (port: number): string => `generic://127.0.0.1:${port}/?disabletls=yes&template={{title}}%0A{{message}}`
const jsonHook = (port: number): string => `generic://127.0.0.1:${port}/?disabletls=yes&template=json`

for (const kind of databases) {
  test(`${kind.name}: a real hub sends an alert by the templates, with the link to acknowledge it, and previews the same text`, async () => {
    await using peer = await httpPeer()
    await using hub = await runningHub(kind, ['--app-url=https://hub.example'])
    const { token, id } = hub.admin
    const address = `gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa?disabletls=yes`
    const templates = { title: '[{severity}] {system}: {alert}', text: '{alert} {value} > {threshold} ({minutes} min)\n{text}' }
    const change = { add: { webhooks: [address] }, merge: { messageTemplates: templates } }
    assert.equal((await hub.call(token, 'PATCH /api/account/settings', change)).status, 200)

    const { body: about } = await hub.call(token, 'GET /api/beszel/getkey')
    const { promise: alertIsSet, resolve: letSpeak } = Promise.withResolvers<void>()
    await using agent = await behavingSshAgent(String(about['key']), {
      behave: async (channel, asked) => {
        await asked
        await alertIsSet
        finish(channel, bytesOf(encodeEnvelope(documentReply({ ...machineSample, cpu: { busyPercent: 97 } }))))
      },
    })
    const system = { name: '{link} *web*', host: '127.0.0.1', port: String(agent.port), users: [id] }
    const { body: created } = await hub.call(token, 'POST /api/collections/systems/records', system)
    const alert = { user: id, system: created['id'] ?? '', name: 'CPU', value: 80, min: 1 }
    assert.equal((await hub.call(token, 'POST /api/collections/alerts/records', alert)).status, 200)
    letSpeak()
    await hub.until(token, 'GET /api/vedette/deliveries', (answer) => itemsOf(answer)[0]?.['state'] === 'delivered')
    const { title, message } = JSON.parse(peer.received[0]?.body ?? '') as { readonly title: string; readonly message: string } // as Gotify gets it
    assert.equal(title, '[critical] {link} *web*: CPU')
    const [text, link] = message.split('\nAcknowledge: ')
    const standard = 'CPU is 97.00%. The threshold is 80%.'
    assert.equal(text, `CPU 97.00% > 80% (1 min)\n${standard}\n\nhttps://hub.example/system/${String(created['id'])}`)
    assert.match(link ?? '', /^https:\/\/hub\.example\/acknowledge#[\w.-]+$/)

    const preview = await hub.call(token, 'POST /api/vedette/message-preview', { ...templates, language: 'de' })
    assert.deepEqual(preview.body['examples'], [
      {
        state: 'fired',
        title: '[kritisch] Beispielsystem: CPU-Auslastung',
        text: 'CPU-Auslastung 93,20 % > 80 % (10 min)\nCPU-Auslastung lag in den letzten 10 Minuten im Mittel bei 93,20 %. Der Schwellenwert ist 80 %.',
      },
      {
        state: 'worse',
        title: '[kritisch] Beispielsystem: Speicherauslastung',
        text: 'Speicherauslastung 96,40 % > 95 % (5 min)\nSpeicherauslastung lag in den letzten 5 Minuten im Mittel bei 96,40 %. Der Schwellenwert ist 95 %.',
      },
      {
        state: 'reminder',
        title: '[kritisch] Beispielsystem: CPU-Auslastung',
        text: 'CPU-Auslastung 93,20 % > 80 % (10 min)\nCPU-Auslastung lag in den letzten 10 Minuten im Mittel bei 93,20 %. Der Schwellenwert ist 80 %. Der Alarm ist seit 60 min aktiv.',
      },
      {
        state: 'resolved',
        title: '[kritisch] Beispielsystem: Belegung von /srv',
        text: 'Belegung von /srv 71,50 % > 90 % (10 min)\nBelegung von /srv lag in den letzten 10 Minuten im Mittel bei 71,50 %. Der Schwellenwert ist 90 %.',
      },
      {
        state: 'down',
        title: '[kritisch] Beispielsystem: Verbindung',
        text: 'Verbindung  >  (1 min)\nVerbindung zu Beispielsystem ist unterbrochen: No answer',
      },
    ])
    const plain = await hub.call(token, 'POST /api/vedette/message-preview', {})
    const titles = plain.body['examples'] as readonly { readonly title: string }[] // as the route declares
    assert.equal(titles.at(-1)?.title, 'Connection to Example system is down \u{1F534}')
  })

  test(`${kind.name}: a preview and a change of the settings name what is wrong in a template`, async () => {
    await using hub = await runningHub(kind, [])
    const { token } = hub.admin
    const refused = await hub.call(token, 'POST /api/vedette/message-preview', { title: 'x'.repeat(201), text: '{host}' })
    assert.deepEqual([refused.status, refused.body['message']], [400, 'Failed to preview the messages.'])
    assert.partialDeepStrictEqual(refused.body['data'], {
      title: { message: 'Must be at most 200 characters.' },
      text: { message: 'Unknown placeholder {host}.' },
    })
    const sent = { merge: { messageTemplates: { title: '{__proto__}' } } }
    const { status, body } = await hub.call(token, 'PATCH /api/account/settings', sent)
    assert.equal(status, 400)
    assert.partialDeepStrictEqual(body['data'], {
      settings: { message: '"messageTemplates.title" is wrong: Unknown placeholder {__proto__}.' },
    })
    assert.equal((await hub.call(token, 'POST /api/vedette/message-preview', { language: 'fr' })).status, 400)
  })

  test(`${kind.name}: templates are for messages about one alert, by email too, and a list keeps the standard texts`, async () => {
    await using peer = await httpPeer()
    await using smtp = await testSmtp()
    await using scene = await notificationScene(kind)
    await scene.sendMail(smtp.port)
    const choose = (change: JsonObject) =>
      scene.database.write((unit) =>
        changePersonSettings(scene.engine, unit, scene.owner.id, () => ({
          webhooks: [hook(peer.port)],
          emails: ['a@example.com'],
          messageTemplates: { title: '{state}: {system}', text: '<b>{system}</b> since {since}\n{link}' },
          ...change,
        })),
      )
    await choose({ timeZone: 'Europe/Berlin' })
    await scene.tell('i1', 'fired', { systemName: 'a\nb <i>' })
    await scene.settled()
    const { mail } = await smtp.next()
    assert.equal(mail.subject, 'firing: a b <i>')
    assert.match(mail.html ?? '', /&lt;b&gt;a b &lt;i&gt;&lt;\/b&gt; since Jan 10, 2026, 01:00 PM GMT\+1/)
    assert.match(peer.received[0]?.body ?? '', /^firing: a b <i>/)
    await scene.tell('i1', 'resolved', { systemName: 'a\nb <i>' })
    await scene.settled()
    assert.match(peer.received.at(-1)?.body ?? '', /^resolved: a b <i>/)

    // A grouping window with one alert is an ordinary message, and one with several is a list.
    await choose({ groupMinutes: 5, webhooks: [jsonHook(peer.port)] })
    await scene.tell('i2', 'fired', { systemName: 'c' })
    await scene.settled()
    await scene.pass(5)
    assert.equal(JSON.parse(peer.received.at(-1)?.body ?? '').title, 'firing: c')
    for (const incident of ['i3', 'i4']) await scene.tell(incident, 'fired', { systemName: 'c' })
    await scene.settled()
    await scene.pass(5)
    const list = JSON.parse(peer.received.at(-1)?.body ?? '')
    assert.deepEqual([list.title, list.message.split('\n')[0]], ['2 alerts on c', '• c CPU above threshold'])
  })

  test(`${kind.name}: stored templates of a newer version are used as far as they can be read`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer.port)], messageTemplates: { title: '{system} {weather}', text: 7, footer: 'x' } })
    await scene.tell('i1', 'fired', { systemName: 'c' })
    await scene.settled()
    assert.match(peer.received[0]?.body ?? '', /^c \{weather\}\nCPU averaged 93\.20%/)
  })
}
