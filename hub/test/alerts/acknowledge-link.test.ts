import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { ACKNOWLEDGE_LINKS } from '../../src/alerts/notifications/acknowledge-link.ts'
import { secretBox } from '../../src/platform/secrets/secret-box.ts'
import { signedValues } from '../../src/platform/secrets/signed-token.ts'
import { databases } from '../databases.ts'
import { call, hubsOfOneDatabase, NATS_AWAY, signIn } from '../hubs-of-one-database.ts'
import { httpPeer } from '../http-peer.ts'
import { byLink, hubSecrets, linkedAlertScene, startLinkedHub } from '../linked-alert-scene.ts'
import { notificationScene } from '../notification-scene.ts'
import { testSmtp } from '../smtp-server.ts'

const HOUR_MS = 3_600_000
const notAcknowledged = { acknowledged: null, acknowledger: '', note: '', snoozed: null }

for (const kind of databases) {
  test(`${kind.name}: the link of a message shows its alert, acknowledges and snoozes it without signing in`, async () => {
    await using scene = await linkedAlertScene(kind)
    const { view, acknowledge } = byLink(scene.hub)
    const [incident] = (await scene.incidents()).filter(({ name }) => name === 'CPU')
    const shown = {
      systemName: 'web',
      name: 'CPU',
      target: '',
      began: incident?.['began'],
      ended: null,
      acknowledged: null,
      acknowledger: '',
      snoozed: null,
    }
    // Mail scanners open the page.
    assert.equal((await fetch(`${scene.hub.address}/acknowledge`)).status, 200)
    for (const path of ['', '/view']) {
      const opened = await fetch(`${scene.hub.address}/api/vedette/acknowledgement${path}?token=${scene.cpuLink}&name=Ada`)
      assert.equal(opened.status, 404)
    }
    for (let time = 0; time < 2; time += 1) assert.deepEqual((await view(scene.cpuLink)).body, shown)
    for (const one of await scene.incidents()) assert.partialDeepStrictEqual(one, notAcknowledged)

    assert.equal((await acknowledge(scene.cpuLink, { name: ' Ada  L. ', note: 'on it' })).status, 204)
    const first = (await view(scene.cpuLink)).body
    assert.partialDeepStrictEqual(first, { acknowledger: 'Ada  L. (by link)', snoozed: null })
    assert.equal(typeof first['acknowledged'], 'number')
    // A second use replaces the first one, like that of a signed-in user.
    assert.equal((await acknowledge(scene.cpuLink, { name: 'Bob', snoozeMinutes: 60 })).status, 204)
    const second = (await view(scene.cpuLink)).body
    assert.equal(second['acknowledger'], 'Bob (by link)')
    assert.equal(Number(second['snoozed']), Number(second['acknowledged']) + HOUR_MS)
    const after = await scene.incidents()
    assert.partialDeepStrictEqual(
      after.find(({ name }) => name === 'CPU'),
      { acknowledger: 'Bob (by link)', note: '' },
    )
    assert.partialDeepStrictEqual(
      after.find(({ name }) => name === 'Memory'),
      notAcknowledged,
    )

    await scene.end()
    assert.equal(typeof (await view(scene.cpuLink)).body['ended'], 'number')
    const { status, body } = await acknowledge(scene.cpuLink, { name: 'Late' })
    assert.deepEqual([status, body['message']], [409, 'The alert is over.'])
    assert.equal((await view(scene.cpuLink)).body['acknowledger'], 'Bob (by link)')
  })

  test(`${kind.name}: a link that is expired, changed or of another purpose, and bad input change nothing`, async () => {
    await using scene = await linkedAlertScene(kind)
    const { view, acknowledge } = byLink(scene.hub)
    const [incident = '', owner = ''] = scene.cpuLink.split('.')
    const nowMs = Date.now()
    const links = signedValues(hubSecrets, ACKNOWLEDGE_LINKS)
    assert.equal((await view(links.sign([incident, owner], nowMs + HOUR_MS))).status, 200)
    const invalid = [
      links.sign([incident, owner], nowMs - 1000),
      links.sign([incident, 'nobody'], nowMs + HOUR_MS),
      links.sign(['none', owner], nowMs + HOUR_MS),
      links.sign([incident], nowMs + HOUR_MS),
      signedValues(hubSecrets, 'another purpose').sign([incident, owner], nowMs + HOUR_MS),
      hubSecrets.digest(ACKNOWLEDGE_LINKS, incident),
      scene.ownerToken,
      scene.cpuLink.replace(incident, scene.memoryLink.split('.')[0] ?? ''),
      `${scene.cpuLink}A`,
      scene.cpuLink.slice(0, -1),
      '',
      '💥'.repeat(100),
    ]
    const answers = new Set<string>()
    // At most 20 uses a minute are not refused by the limit.
    for (const [index, token] of invalid.entries()) {
      const { status, body } = await view(token)
      if (index % 2 === 0) assert.equal((await acknowledge(token)).status, status)
      answers.add(`${status} ${String(body['message'])}`)
    }
    assert.deepEqual([...answers].toSorted(), ['404 The link is not valid, or has expired.'])

    for (const token of [undefined, null, 7, {}, ['x'], 'x'.repeat(513)]) assert.equal((await view(token)).status, 400)
    for (const more of [
      { name: '' },
      { name: ' \n ' },
      { name: 'x'.repeat(101) },
      { name: 'x'.repeat(10_000) },
      { name: 'Ada\u202e' },
      { name: 'Ada\u0007' },
      { name: 'Ada\nAdmin' },
      { name: 'Ada\0' },
      { name: { first: 'Ada' } },
      { name: undefined },
      { note: 'x'.repeat(501) },
      { note: 'a\u2028b' },
      ...[0, 4, 10_081, 7.5, -1, '60', null].map((snoozeMinutes) => ({ snoozeMinutes })),
    ])
      assert.equal((await acknowledge(scene.memoryLink, more)).status, 400, JSON.stringify(more).slice(0, 80))
    // The owner's own notes appear in the same places, and have the same characters.
    const [{ id } = assert.fail()] = await scene.incidents()
    for (const note of ['a\u2028b', 'a\nb', 'a\u0007', '\u202eabc', 'a\0']) {
      const request = `POST /api/vedette/incidents/${String(id)}/acknowledge`
      assert.equal((await scene.hub.call(scene.ownerToken, request, { note })).status, 400, JSON.stringify(note))
    }
    const huge = await acknowledge(scene.memoryLink, { note: 'x'.repeat(9 * 1024 * 1024) })
    assert.equal(huge.status, 413)
    for (const one of await scene.incidents()) assert.partialDeepStrictEqual(one, notAcknowledged)
  })

  test(`${kind.name}: a link is not valid any more after its owner lost the access, and after the owner was deleted`, async () => {
    await using scene = await linkedAlertScene(kind)
    const { hub, system, owner } = scene
    const { view, acknowledge } = byLink(hub)
    const { token: admin, id } = hub.admin
    const statuses = async (link: string) => [(await view(link)).status, (await acknowledge(link)).status]
    const share = (users: readonly string[]) => hub.call(admin, `PATCH /api/collections/systems/records/${system}`, { users })
    assert.equal((await view(scene.cpuLink)).status, 200)
    await share([id])
    assert.deepEqual(await statuses(scene.cpuLink), [404, 404])
    await share([owner])
    for (const one of await scene.incidents()) assert.partialDeepStrictEqual(one, notAcknowledged)
    // The page shows what the message said.
    await hub.call(admin, `PATCH /api/collections/systems/records/${system}`, { name: 'a new secret name' })
    assert.equal((await view(scene.cpuLink)).body['systemName'], 'web')
    await hub.call(admin, `DELETE /api/collections/users/records/${owner}`)
    assert.deepEqual(await statuses(scene.cpuLink), [404, 404])
  })

  test(`${kind.name}: a link is not valid any more after its system was deleted`, async () => {
    await using scene = await linkedAlertScene(kind)
    const { view, acknowledge } = byLink(scene.hub)
    await scene.hub.call(scene.hub.admin.token, `DELETE /api/collections/systems/records/${scene.system}`)
    assert.deepEqual([(await view(scene.cpuLink)).status, (await acknowledge(scene.cpuLink)).status], [404, 404])
  })

  test(`${kind.name}: uses of links are limited by network and alert, and no token appears in the log`, async () => {
    await using scene = await linkedAlertScene(kind)
    const { view, acknowledge } = byLink(scene.hub)
    await acknowledge(scene.memoryLink, { name: '' })
    await acknowledge(scene.memoryLink)
    await view(`${scene.memoryLink}x`)
    const statuses: number[] = []
    for (let time = 0; time < 21; time += 1) statuses.push((await view(scene.cpuLink)).status)
    assert.deepEqual([statuses.slice(0, 20), statuses[20]], [Array.from({ length: 20 }, () => 200), 429])
    assert.equal((await view(scene.memoryLink)).status, 200)
    const { token } = scene.hub.admin
    const isLogged = '/api/logs?perPage=500&filter=message~"acknowledgement"'
    const { body } = await scene.hub.until(token, `GET ${isLogged}`, (answer) => Number(answer.body['totalItems']) >= 25)
    assert.ok(JSON.stringify(body).includes('POST /api/vedette/acknowledgement'))
    const all = JSON.stringify((await scene.hub.call(token, 'GET /api/logs?perPage=500')).body)
    for (const secret of [scene.cpuLink, scene.memoryLink]) assert.ok(!all.includes(secret.split('.')[3] ?? secret))
  })

  test(`${kind.name}: a link works after a restart of the hub`, async () => {
    await using place = await kind.ready()
    const again = async () => ({ at: place.at, [Symbol.asyncDispose]: async () => {} })
    const at = { ...kind, place: again, ready: again }
    let link: string
    {
      await using scene = await linkedAlertScene(at)
      link = scene.cpuLink
    }
    await using hub = await startLinkedHub(at)
    assert.equal((await byLink(hub).acknowledge(link)).status, 204)
    assert.equal((await byLink(hub).view(link)).body['acknowledger'], 'Ada (by link)')
  })

  test(`${kind.name}: the start of one alert and its reminders have a link, and no other message`, async () => {
    await using peer = await httpPeer()
    await using smtp = await testSmtp({})
    await using scene = await notificationScene(kind)
    await scene.sendMail(smtp.port)
    const [settings] = await scene.engine.store.loadWhere('user_settings', { user: scene.owner.id })
    const webhooks = [`generic://127.0.0.1:${peer.port}/?disabletls=yes&template={{title}}|{{acknowledge}}|{{message}}`]
    const values = { webhooks, emails: ['owner@example.com'], remindMinutes: 30 }
    await scene.database.write((unit) => scene.engine.store.update(unit, 'user_settings', settings?.id ?? '', { settings: values }))
    await scene.database.write(({ sql }) =>
      sql
        .insertInto('incidents')
        .values({
          id: 'i1',
          alert: 'a',
          owner: scene.owner.id,
          system: 'web',
          kind: 'CPU',
          target: '',
          threshold: 80,
          minutes: 10,
          value: 93,
          began: scene.now(),
          ended: null,
          ending: '',
        })
        .execute(),
    )
    await scene.tell('i1')
    await scene.settled()
    await scene.pass(30)
    await scene.tell('i1', 'resolved')
    await scene.settled()
    await scene.tell('d1', 'worse', { kind: 'Drive', target: '/dev/sda', reason: 'FAILED' })
    await scene.settled()
    await scene.tellAll(
      ['one', 'two', 'three'].map((name) => ({ incident: name, transition: 'fired', body: { systemName: name, kind: 'Status' } })),
    )
    await scene.settled()
    const withLink = peer.received.map(({ body }) => body.split('|')).map(([title = '', link = '']) => [title, link !== ''])
    assert.deepEqual(withLink, [
      ['web CPU above threshold', true],
      ['Reminder: web CPU above threshold', true],
      ['web CPU below threshold', false],
      ['SMART failure on web: /dev/sda 🔴', false],
      ['Connection to 3 systems is down 🔴', false],
    ])
    const links = peer.received.map(({ body }) => body.split('|')[1] ?? '').filter((one) => one !== '')
    const mails = smtp.arrived.map(({ mail }) => ({ text: mail.text ?? '', html: String(mail.html) }))
    assert.ok(mails.length > links.length)
    for (const [at, link] of links.entries()) {
      const { text, html } = mails[at] ?? assert.fail('no email')
      assert.ok(text.includes(`\n\nAcknowledge: ${link}\n`) && html.includes(`<a href="${link}">Acknowledge</a>`))
    }
    assert.ok(mails.slice(2).every(({ text, html }) => !/acknowledge/i.test(text + html)))
    // The time of the message decides, so a repeated attempt sends the same link.
    assert.deepEqual(
      links.map((link) => Number(link.split('.').at(-2)) * 1000 - scene.now()),
      [30 * 24 * HOUR_MS - 30 * 60_000, 30 * 24 * HOUR_MS],
    )
  })
}

test('postgres: every hub of one database accepts a link, and shows the acknowledgement of another hub', async () => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY)
  const a = await hubs.start('a')
  const b = await hubs.start('b')
  const { token, id: owner } = await signIn(a)
  const values = { name: 'web', host: '127.0.0.1', port: '1', status: 'paused', users: [owner] }
  const { body: system } = await call(a, token, 'POST /api/collections/systems/records', values)
  const [, url] = hubs.flags()
  const client = new Client({ connectionString: url })
  await client.connect()
  const nowMs = Date.now()
  await client.query(
    `insert into incidents (id, alert, owner, system, kind, target, threshold, minutes, began, ending)
    values ('i1', 'a', $1, $2, 'Status', '', 0, 1, $3, '')`,
    [owner, system['id'], nowMs],
  )
  const notice = JSON.stringify({ systemName: 'web', kind: 'Status', beganMs: nowMs })
  await client.query(
    `insert into notices (id, incident, transition, owner, system, at, state, due, body) values ('n1', 'i1', 'fired', $1, $2, $3, 'handed', $3, $4)`,
    [owner, system['id'], nowMs, notice],
  )
  await client.end()
  const [, , , , , key = ''] = hubs.flags()
  const secrets = secretBox(createHash('sha256').update(key).digest())
  const link = signedValues(secrets, ACKNOWLEDGE_LINKS).sign(['i1', owner], nowMs + HOUR_MS)
  assert.equal((await call(a, '', 'POST /api/vedette/acknowledgement/view', { token: link })).status, 200)
  assert.equal((await call(b, '', 'POST /api/vedette/acknowledgement', { token: link, name: 'Ada' })).status, 204)
  const { body } = await call(a, '', 'POST /api/vedette/acknowledgement/view', { token: link })
  assert.equal(body['acknowledger'], 'Ada (by link)')
})
