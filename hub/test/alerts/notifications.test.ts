import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listDeliveries } from '../../src/alerts/notifications/delivery-list.ts'
import { deleteOldDeliveries } from '../../src/alerts/notifications/delivery-store.ts'
import { databases } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { notificationScene } from '../notification-scene.ts'
import { testSmtp } from '../smtp-server.ts'

type Peer = Awaited<ReturnType<typeof httpPeer>>

const hook = ({ port }: Peer, more = '') => `generic://127.0.0.1:${port}/?disabletls=yes&template={{title}}${more}`
const bodies = ({ received }: Peer) => received.map(({ body }) => body)
const keys = ({ received }: Peer) => received.map(({ headers }) => headers['idempotency-key'])

for (const kind of databases) {
  test(`${kind.name}: a notice is sent once to each channel of its user`, async () => {
    await using peer = await httpPeer()
    await using smtp = await testSmtp()
    await using scene = await notificationScene(kind)
    await scene.sendMail(smtp.port)
    await scene.channels({
      webhooks: [hook(peer), `ntfy://127.0.0.1:${peer.port}/t?scheme=http`],
      emails: ['a@example.com', 'b@example.com'],
    })
    await scene.tell('i1')
    await scene.settled()
    await scene.settled()
    assert.deepEqual(bodies(peer).toSorted(), [
      'CPU averaged 93.20% for the previous 10 minutes. The threshold is 80%.',
      'web CPU above threshold',
    ])
    assert.equal(peer.received.find(({ url }) => url === '/t')?.headers['click'], 'https://hub.example/system/web')
    assert.deepEqual(smtp.arrived.flatMap(({ to }) => to).toSorted(), ['a@example.com', 'b@example.com'])
    assert.deepEqual(smtp.arrived[0]?.mail.subject, 'web CPU above threshold')
    const rows = await scene.deliveries()
    assert.deepEqual(
      rows.map(({ kind: name, state }) => [name, state]),
      [
        ['generic webhook', 'delivered'],
        ['ntfy', 'delivered'],
        ['e-mail', 'delivered'],
        ['e-mail', 'delivered'],
      ],
    )
    assert.ok(rows.every(({ job }) => job === ''))
    assert.deepEqual(
      (await scene.notices()).map(({ state }) => state),
      ['handed'],
    )
    await scene.pass(600)
    assert.equal(peer.received.length + smtp.arrived.length, 4)
  })

  test(`${kind.name}: containers of one system that stop at the same time are one message, and other systems have their own`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    const stopped = (system: string, target: string) =>
      ({
        incident: `${system} ${target}`,
        transition: 'fired',
        body: { systemName: system, kind: 'ContainerStopped', target, reason: 'stopped' },
      }) as const
    await scene.tellAll([...['web', 'db', 'mail'].map((target) => stopped('one', target)), stopped('two', 'web')])
    await scene.settled()
    assert.deepEqual(
      bodies(peer)
        .map((body) => body.split('\n')[0])
        .toSorted(),
      ['3 containers on one are not well \u{1F534}', 'Container web on two is not running \u{1F534}'],
    )
  })

  test(`${kind.name}: an account or settings that cannot be decrypted do not prevent notifications of other users`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    const person = (name: string) =>
      scene.insert('users', { email: `${name}@example.com`, username: name, role: 'user', verified: true, password: 'none' })
    const [first, second] = [await person('first'), await person('second')]
    await scene.insert('user_settings', { user: second.id, settings: {} })
    await scene.database.write(async ({ sql: unit }) => {
      await sql`update users set "tokenKey" = 'v1.damaged' where id = ${first.id}`.execute(unit)
      await sql`update user_settings set settings = '{"emails":' where "user" = ${second.id}`.execute(unit)
    })
    const past = { start: '2020-01-01 00:00:00.000Z', end: '2020-01-02 00:00:00.000Z' }
    await scene.insert('quiet_hours', { user: second.id, system: '', type: 'one-time', ...past })
    for (const owner of [first.id, second.id]) await scene.tell(`of ${owner}`, 'fired', {}, owner)
    await scene.tell('i1')
    await scene.settled()
    assert.deepEqual(bodies(peer), ['web CPU above threshold'])
    assert.deepEqual(new Set((await scene.notices()).map(({ state }) => state)), new Set(['handed']))
  })

  test(`${kind.name}: a failed delivery is retried with the same key at the time that the provider requests`, async () => {
    const answers = [{ status: 500 }, { status: 429, headers: { 'retry-after': '600' } }, { status: 200 }]
    await using peer = await httpPeer((_one, before) => answers[before] ?? { status: 200 })
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tell('i1')
    await scene.settled()
    const [first] = await scene.deliveries()
    assert.deepEqual([first?.state, first?.said, first?.due], ['waiting', 'the server answered with status 500', scene.now() + 60_000])
    await scene.pass(1)
    assert.equal(peer.received.length, 2)
    await scene.pass(9)
    assert.equal(peer.received.length, 2)
    await scene.pass(1)
    assert.equal(new Set(keys(peer)).size, 1)
    const [last] = await scene.deliveries()
    assert.deepEqual([peer.received.length, last?.state, last?.attempts], [3, 'delivered', 3])
    assert.equal(keys(peer)[0], last?.id)
  })

  test(`${kind.name}: the message that an incident fired is delivered before its resolution, however long it takes`, async () => {
    let status = 503
    await using peer = await httpPeer(() => ({ status }))
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tell('i1')
    await scene.settled()
    await scene.tell('i1', 'resolved')
    await scene.settled()
    assert.deepEqual(bodies(peer), ['web CPU above threshold'])
    status = 200
    await scene.pass(1)
    assert.deepEqual(bodies(peer), ['web CPU above threshold', 'web CPU above threshold', 'web CPU below threshold'])
  })

  test(`${kind.name}: a channel that refuses is not retried, and its user is informed once a day over the other channels`, async () => {
    await using broken = await httpPeer(() => ({ status: 404 }))
    await using good = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(broken), 'telegram://nonsense', hook(good)] })
    for (const incident of ['i1', 'i2']) await scene.tell(incident)
    await scene.settled()
    await scene.pass(5)
    assert.equal(broken.received.length, 3)
    assert.deepEqual(new Set(bodies(broken)), new Set(['web CPU above threshold', 'Notifications by Telegram do not arrive']))
    assert.deepEqual(bodies(good).toSorted(), [
      'Notifications by Telegram do not arrive',
      'Notifications by generic webhook do not arrive',
      'web CPU above threshold',
      'web CPU above threshold',
    ])
    const rows = await scene.deliveries()
    assert.ok(rows.every(({ state }) => state !== 'waiting'))
    assert.match(rows.find(({ kind: name }) => name === 'Telegram')?.said ?? '', /^Cannot read the address/)
    const listed = await listDeliveries(scene.engine, { owner: scene.owner.id, most: 20 })
    assert.deepEqual(
      new Set(listed.map(({ title }) => title)),
      new Set(['web CPU above threshold', 'Notifications by another channel do not arrive']),
    )
  })

  test(`${kind.name}: a delivery to an unreachable channel expires after a day`, async () => {
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: ['generic://127.0.0.1:1/?disabletls=yes'] })
    await scene.tell('i1')
    await scene.settled()
    for (let half = 0; half < 50; half += 1) await scene.pass(30)
    const [row, ...others] = await scene.deliveries()
    assert.deepEqual([row?.state, others], ['expired', []])
    assert.ok((row?.attempts ?? 0) > 40 && (row?.attempts ?? 0) < 60)
  })

  test(`${kind.name}: alerts beyond ten messages a minute are sent as one digest`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tellAll(
      Array.from({ length: 25 }, (_, at) => ({ incident: `i${at}`, transition: 'fired', body: { systemName: `s${at}` } })),
    )
    await scene.settled()
    assert.equal(peer.received.length, 11)
    assert.equal(bodies(peer).at(-1), '15 alerts on 15 systems')
    await scene.tell('more')
    await scene.settled()
    assert.equal(peer.received.length, 11)
    await scene.pass(1)
    assert.deepEqual(bodies(peer).slice(11), ['web CPU above threshold'])
    assert.ok((await scene.notices()).every(({ state }) => state === 'handed'))
  })

  test(`${kind.name}: systems that go down together are one message, and so is their return`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    const all = (transition: 'fired' | 'resolved') =>
      scene.tellAll(['a', 'b', 'c'].map((systemName) => ({ incident: systemName, transition, body: { systemName, kind: 'Status' } })))
    await all('fired')
    await scene.settled()
    await all('resolved')
    await scene.settled()
    assert.deepEqual(bodies(peer), ['Connection to 3 systems is down \u{1F534}', 'Connection to 3 systems is up \u2705'])
  })

  test(`${kind.name}: an incident that fired in quiet hours and was closed by the user is not notified at their end`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    const hour = { user: scene.owner.id, type: 'daily', start: '2026-01-01 12:00:00.000Z', end: '2026-01-01 13:00:00.000Z' }
    await scene.insert('quiet_hours', hour)
    for (const incident of ['closed', 'lasts']) await scene.tell(incident, 'fired', { systemName: incident })
    await scene.settled()
    await scene.database.write(async ({ sql }) => {
      const incident = {
        alert: 'a',
        owner: scene.owner.id,
        system: 'web',
        kind: 'CPU',
        target: '',
        threshold: 80,
        minutes: 10,
        value: 90,
      }
      const times = { began: scene.now(), ended: scene.now() }
      await sql
        .insertInto('incidents')
        .values({ id: 'closed', ...incident, ...times, ending: 'closed' })
        .execute()
    })
    await scene.pass(60)
    assert.deepEqual(bodies(peer), ['lasts CPU above threshold'])
  })

  test(`${kind.name}: quiet hours suppress notifications, and at their end incidents that still fire are notified`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tell('told before')
    await scene.settled()
    const night = { user: scene.owner.id, type: 'daily', start: '2026-01-01 12:00:00.000Z', end: '2026-01-01 13:00:00.000Z' }
    await scene.insert('quiet_hours', night)
    await scene.pass(1)
    for (const incident of ['over by then', 'lasts']) await scene.tell(incident, 'fired', { systemName: incident })
    await scene.settled()
    await scene.tell('over by then', 'resolved')
    await scene.tell('told before', 'resolved')
    await scene.pass(58)
    assert.equal(peer.received.length, 1)
    await scene.pass(1)
    assert.deepEqual(bodies(peer), ['web CPU above threshold', 'lasts CPU above threshold', 'web CPU below threshold'])
    assert.deepEqual(
      (await scene.notices()).map(({ incident, state }) => [incident, state]).filter(([incident]) => incident === 'over by then'),
      [
        ['over by then', 'quiet'],
        ['over by then', 'quiet'],
      ],
    )
  })

  test(`${kind.name}: quiet hours use the user's time zone, and quiet hours of a system affect only this system`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    // 7:00 to 8:00 in New York in summer time. In January it is now exactly 7:00 there.
    await scene.channels({ webhooks: [hook(peer)], timeZone: 'America/New_York' })
    const morning = { user: scene.owner.id, type: 'daily', start: '2025-06-01 11:00:00.000Z', end: '2025-06-01 12:00:00.000Z' }
    const system = await scene.insert('systems', { name: 'db', status: 'up', host: 'h', users: [scene.owner.id], info: {} })
    await scene.insert('quiet_hours', { ...morning, system: system.id })
    await scene.tell('i1', 'fired', { systemName: system.id })
    await scene.tell('i2')
    await scene.settled()
    assert.deepEqual(bodies(peer), ['web CPU above threshold'])
    await scene.channels({ webhooks: [hook(peer)], timeZone: 'nowhere' })
    await scene.pass(60)
    assert.deepEqual(bodies(peer), ['web CPU above threshold', `${system.id} CPU above threshold`])
  })

  test(`${kind.name}: quiet hours use the time zone stored with them, not the display time zone`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    // 12:30 to 13:30 in Berlin, stored in summer: in January that is 11:30 to 12:30 UTC, and it is noon.
    const noon = { user: scene.owner.id, type: 'daily', start: '2025-06-01 10:30:00.000Z', end: '2025-06-01 11:30:00.000Z' }
    await scene.insert('quiet_hours', noon)
    await scene.channels({ webhooks: [hook(peer)], quietZone: 'Europe/Berlin', timeZone: 'Asia/Tokyo' })
    await scene.tell('i1')
    await scene.settled()
    assert.equal(peer.received.length, 0)
    // A change of the stored time zone applies at once.
    await scene.channels({ webhooks: [hook(peer)], quietZone: 'Asia/Tokyo' })
    await scene.settled()
    assert.equal(peer.received.length, 1)
  })

  test(`${kind.name}: deleting quiet hours ends them at once`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    const window = await scene.insert('quiet_hours', {
      user: scene.owner.id,
      system: '',
      type: 'one-time',
      start: '2026-01-01 00:00:00.000Z',
      end: '2026-02-01 00:00:00.000Z',
    })
    await scene.tell('i1')
    await scene.settled()
    assert.equal(peer.received.length, 0)
    await scene.remove('quiet_hours', window.id)
    await scene.settled()
    assert.equal(peer.received.length, 1)
  })

  test(`${kind.name}: only admins can send to internal addresses`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind, 'user')
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tell('i1')
    await scene.settled()
    const [row] = await scene.deliveries()
    assert.deepEqual([peer.received.length, row?.state, row?.said], [0, 'refused', 'Only admins can send to internal destinations.'])
  })

  test(`${kind.name}: all users can send to internal addresses if the operator allows it`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind, 'user', true)
    await scene.channels({ webhooks: [hook(peer), 'generic://169.254.169.254/?disabletls=yes'] })
    await scene.tell('i1')
    await scene.settled()
    assert.deepEqual((await scene.deliveries()).map(({ state }) => state).toSorted(), ['delivered', 'waiting'])
    assert.equal(peer.received.length, 1)
  })

  test(`${kind.name}: a delivery of a deleted notice expires, and the deletion causes no message`, async () => {
    let status = 500
    await using peer = await httpPeer(() => ({ status }))
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer), hook(peer, '&n=2')] })
    await scene.tell('i1')
    await scene.settled()
    status = 200
    await scene.database.write(async ({ sql }) => void (await sql.deleteFrom('notices').execute()))
    await scene.pass(1)
    assert.equal(peer.received.length, 2)
    assert.deepEqual(
      (await scene.deliveries()).map(({ state }) => state),
      ['expired', 'expired'],
    )
  })

  test(`${kind.name}: a delivery whose stored list of notices is damaged expires, and all others are sent and listed`, async () => {
    let status = 500
    await using peer = await httpPeer(() => ({ status }))
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer), hook(peer, '&n=2')] })
    await scene.tell('i1')
    await scene.settled()
    const [damaged] = await scene.deliveries()
    await scene.database.write(
      async (unit) =>
        void (await unit.sql
          .updateTable('deliveries')
          .set({ notices: '["i1' })
          .where('id', '=', damaged?.id ?? '')
          .execute()),
    )
    status = 200
    await scene.pass(1)
    const states = (await scene.deliveries()).map(({ id, state }) => [id === damaged?.id, state])
    assert.deepEqual(states, [
      [true, 'expired'],
      [false, 'delivered'],
    ])
    const listed = await listDeliveries(scene.engine, { owner: scene.owner.id, most: 10 })
    assert.equal(listed.length, 2)
  })

  test(`${kind.name}: a retried email has the same Message-ID`, async () => {
    let refusals = 1
    await using smtp = await testSmtp({
      onMailFrom: (_address, _session, done) =>
        done(refusals-- > 0 ? Object.assign(new Error('4.7.1 Later'), { responseCode: 451 }) : null),
    })
    await using scene = await notificationScene(kind)
    await scene.sendMail(smtp.port)
    await scene.channels({ emails: ['a@example.com'] })
    await scene.tell('i1')
    await scene.settled()
    const [waiting] = await scene.deliveries()
    assert.match(waiting?.said ?? '', /4\.7\.1 Later/)
    await scene.pass(1)
    assert.deepEqual(
      smtp.arrived.map(({ mail }) => mail.messageId),
      [`<${waiting?.id}@hub.example>`],
    )
  })

  test(`${kind.name}: deleting a user deletes their deliveries`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tell('i1')
    await scene.settled()
    await scene.remove('users', scene.owner.id)
    await scene.settled()
    assert.deepEqual(await scene.deliveries(), [])
  })

  test(`${kind.name}: invalid values in notification settings do not affect valid ones`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [7, null, '', ' ', hook(peer), hook(peer)], emails: 'a@example.com' })
    await scene.tell('i1')
    await scene.settled()
    assert.deepEqual(bodies(peer), ['web CPU above threshold'])
    await scene.channels({ webhooks: 'none' })
    await scene.tell('i2')
    await scene.settled()
    assert.deepEqual(
      (await scene.notices()).map(({ state }) => state),
      ['handed', 'handed'],
    )
  })

  test(`${kind.name}: deliveries are listed for their user page by page`, async () => {
    await using peer = await httpPeer(({ body }) => ({ status: body.startsWith('db') ? 400 : 503 }))
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tell('i1', 'fired', { systemName: 'db' })
    await scene.settled()
    await scene.tell('i2')
    await scene.settled()
    const [newest, oldest, ...more] = await listDeliveries(scene.engine, { owner: scene.owner.id, most: 10 })
    assert.deepEqual(more, [])
    assert.partialDeepStrictEqual(newest, {
      channel: 'generic webhook',
      title: 'web CPU above threshold',
      state: 'waiting',
      attempts: 1,
      said: 'the server answered with status 503',
      nextTry: scene.now() + 60_000,
      done: null,
    })
    assert.partialDeepStrictEqual(oldest, { title: 'db CPU above threshold', state: 'refused', nextTry: null, done: scene.now() })
    const after = newest?.id ?? ''
    assert.deepEqual(await listDeliveries(scene.engine, { owner: scene.owner.id, most: 10, after }), [oldest])
    assert.deepEqual(await listDeliveries(scene.engine, { owner: 'somebody', most: 10, after }), [])
    await scene.database.write(async ({ sql }) => void (await sql.deleteFrom('notices').execute()))
    assert.equal((await listDeliveries(scene.engine, { owner: scene.owner.id, most: 1 }))[0]?.title, null)
  })

  test(`${kind.name}: a user without notification settings is notified by email`, async () => {
    await using smtp = await testSmtp({})
    await using scene = await notificationScene(kind)
    await scene.sendMail(smtp.port)
    await scene.forgetChoices()
    await scene.tell('i1')
    await scene.settled()
    assert.deepEqual(
      smtp.arrived.map(({ to, mail }) => [to, mail.subject]),
      [[['admin@example.com'], 'web CPU above threshold']],
    )
  })

  test(`${kind.name}: deliveries are kept for a month`, async () => {
    await using peer = await httpPeer()
    await using scene = await notificationScene(kind)
    await scene.channels({ webhooks: [hook(peer)] })
    await scene.tell('i1')
    await scene.settled()
    await scene.pass(29 * 24 * 60)
    assert.equal(await deleteOldDeliveries(scene.database, scene.now()), 0)
    await scene.pass(2 * 24 * 60)
    assert.equal(await deleteOldDeliveries(scene.database, scene.now()), 2)
    assert.deepEqual([await scene.deliveries(), await scene.notices()], [[], []])
  })
}
