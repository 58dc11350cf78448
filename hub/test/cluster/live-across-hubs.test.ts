import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNatsServer, withNats } from '../nats-server.ts'
import { twoHubs } from '../two-hubs.ts'

const SYSTEMS = '/api/collections/systems/records'
const named = (name: string) => (event: string) => event.includes(`"name":"${name}"`)

test(
  'a dashboard on one hub sees changes on another one at once, without NATS within seconds, and again at once',
  { timeout: 120_000, ...withNats },
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
