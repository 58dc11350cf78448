import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNatsServer, withNats } from '../nats-server.ts'
import { NATS_AWAY } from '../hubs-of-one-database.ts'
import { twoHubs } from '../two-hubs.ts'
import { connectAgent, topicOf } from './live-agent.ts'

const SYSTEMS = '/api/collections/systems/records'
const named = (name: string) => (event: string) => event.includes(`"name":"${name}"`)

test(
  'a dashboard on one hub receives changes of another hub at once, and without NATS within seconds',
  { timeout: 300_000, ...withNats },
  async () => {
    await using stack = new AsyncDisposableStack()
    const nats = stack.use(await startNatsServer())
    const { a, b, adminId } = stack.use(await twoHubs(nats.url))
    const stream = stack.use(await b.stream(['systems/*', 'delayed']))

    const created = stream.next(named('first'))
    // A paused system has no agent that could fail.
    const { id } = await a.send<{ id: string }>('POST', SYSTEMS, { name: 'first', host: '127.0.0.1', status: 'paused', users: [adminId] })
    assert.match(await created, /"action":"create"/)
    const renamed = stream.next(named('second'))
    await a.send('PATCH', `${SYSTEMS}/${id}`, { name: 'second' })
    assert.match(await renamed, /"action":"update"/)

    const [delayed, late] = [stream.next((event) => event.includes('"isDelayed":true')), stream.next(named('third'))]
    await nats.stop()
    await delayed
    await a.send('PATCH', `${SYSTEMS}/${id}`, { name: 'third' })
    await late

    const [connected, live] = [stream.next((event) => event.includes('"isDelayed":false')), stream.next(named('fourth'))]
    await nats.start()
    await connected
    await a.send('PATCH', `${SYSTEMS}/${id}`, { name: 'fourth' })
    await live
    const deleted = stream.next((event) => event.includes('"action":"delete"'))
    await a.send('DELETE', `${SYSTEMS}/${id}`)
    await deleted
    assert.deepEqual([a.hub.complaints(), b.hub.complaints()], ['', ''])
  },
)

test('notes and fields of a system reach a dashboard on another hub while NATS is away', { timeout: 300_000 }, async () => {
  await using stack = new AsyncDisposableStack()
  const { a, b, adminId } = stack.use(await twoHubs(NATS_AWAY))
  const stream = stack.use(await b.stream(['system_notes/*', 'system_fields/*']))
  const { id } = await a.send<{ id: string }>('POST', SYSTEMS, { name: 'first', host: '127.0.0.1', status: 'paused', users: [adminId] })
  const field = stream.next(named('price'))
  await a.send('POST', '/api/collections/system_fields/records', { name: 'price', kind: 'number' })
  assert.match(await field, /"action":"create"/)
  const noted = stream.next((event) => event.includes('"notes":"in the cellar"'))
  await a.send('POST', '/api/collections/system_notes/records', { system: id, notes: 'in the cellar' })
  assert.match(await noted, /"action":"create"/)
})

test(
  'a system of another hub is live before and after a NATS outage: status, samples, live view and logs',
  { timeout: 300_000, ...withNats },
  async () => {
    await using stack = new AsyncDisposableStack()
    const nats = stack.use(await startNatsServer())
    const { a, b, adminId } = stack.use(await twoHubs(nats.url))
    const { id } = await a.send<{ id: string }>('POST', SYSTEMS, { name: 'machine', host: '127.0.0.1', port: '1', users: [adminId] })
    await a.send('POST', '/api/collections/fingerprints/records', { system: id, token: 'token-of-machine' })
    const stream = stack.use(await b.stream([`systems/${id}`, 'system_stats/*', `history/${id}`, topicOf(id), 'delayed']))
    const atA = stack.use(await a.stream(['delayed']))
    const upWith = (cpu: number) => stream.next((event) => event.includes('"status":"up"') && event.includes(`"cpu":${cpu},`))
    const sampleWith = (cpu: number) =>
      stream.next((event) => event.startsWith('id') && /event:system_stats/.test(event) && event.includes(`"cpu":${cpu},`))
    const logs = () => b.send<{ logs: string }>('GET', `/api/beszel/containers/logs?system=${id}&container=abcdef012345`)

    const first = [
      upWith(11),
      sampleWith(11),
      stream.next((event) => event.includes(`event:history/${id}`)),
      stream.next((event) => event.includes('event:rt_metrics')),
    ]
    const agent = connectAgent(a.hub.address, 11)
    await Promise.all(first)
    assert.deepEqual(await logs(), { logs: 'log of abcdef012345' })

    await nats.stop()
    await assert.rejects(logs(), /The hub that polls this system does not respond; try again in a few seconds/)
    const late = upWith(22)
    agent.close()
    await agent.closedWith
    const second = connectAgent(a.hub.address, 22)
    await late

    const connected = [stream, atA].map((one) => one.next((event) => event.includes('"isDelayed":false')))
    await nats.start()
    await Promise.all(connected)
    const third = sampleWith(33)
    second.close()
    await second.closedWith
    stack.defer(connectAgent(a.hub.address, 33).close)
    await third
    assert.deepEqual(await logs(), { logs: 'log of abcdef012345' })
    assert.equal(a.hub.complaints(), '')
    assert.equal(b.hub.complaints().split('"message"').length, 2, 'one request failed')
  },
)
