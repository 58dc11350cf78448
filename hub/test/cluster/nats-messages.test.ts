import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { HubMessagesUnusableError, HubUnreachableError, LOST, type HubMessages } from '../../src/platform/cluster/hub-messages.ts'
import { parseNatsAddress } from '../../src/platform/cluster/nats-address.ts'
import { openNatsMessages } from '../../src/platform/cluster/nats-messages.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Log } from '../../src/platform/log.ts'
import { silentLog } from '../databases.ts'
import { startNatsServer, withNats } from '../nats-server.ts'

type Options = {
  readonly database?: string
  readonly credentials?: string
  readonly log?: Log
  readonly mostPendingBytes?: number
  readonly silentMs?: number
}

async function openHub(
  stack: AsyncDisposableStack,
  url: string,
  hub: string,
  { database = 'db1', credentials, ...more }: Options = {},
): Promise<HubMessages> {
  const messages = await openNatsMessages({
    address: parseNatsAddress(url, credentials),
    database,
    hub,
    name: hub,
    log: silentLog,
    clock: systemClock,
    ...more,
  })
  stack.defer(() => messages.close())
  return messages
}

/** Resolves with the first message that the hub receives on the subject. Its subscription is active when NATS has replied to `ready`. */
function next(messages: HubMessages, subject: string): Promise<readonly [Json, string]> {
  return new Promise((resolve) => {
    const stop = messages.subscribe(subject, (message, at) => {
      stop()
      resolve([message, at])
    })
  })
}

const connection = (messages: HubMessages, wanted: boolean): Promise<void> =>
  new Promise((resolve) => {
    if (messages.isConnected() === wanted) return resolve()
    const stop = messages.onConnection((isConnected) => {
      if (isConnected !== wanted) return
      stop()
      resolve()
    })
  })

/** NATS handles the commands of a connection in order: earlier subscriptions are active when NATS replies to this request. */
async function ready(messages: HubMessages, hub: string): Promise<void> {
  const stop = messages.answer('ready', async () => true)
  const asking = new AbortController()
  // A connection does not receive its own messages, but NATS reports that there is no other subscriber.
  await assert.rejects(messages.ask(`${hub}-nobody`, 'ready', null, asking.signal), HubUnreachableError)
  stop()
}

test('NATS: a message reaches every other hub of the database, but neither the sender nor another database', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const [a, b, other] = [
    await openHub(stack, nats.url, 'a'),
    await openHub(stack, nats.url, 'b'),
    await openHub(stack, nats.url, 'c', { database: 'db2' }),
  ]
  const received: string[] = []
  a.subscribe('events.>', () => received.push('a'))
  other.subscribe('events.>', () => received.push('other'))
  const atB = next(b, 'events.>')
  await Promise.all([ready(a, 'a'), ready(b, 'b'), ready(other, 'c')])
  a.publish('events.systems.s1', { name: 'ä', n: [1, null] })
  assert.deepEqual(await atB, [{ name: 'ä', n: [1, null] }, 'events.systems.s1'])
  await Promise.all([ready(a, 'a'), ready(other, 'c')])
  assert.deepEqual(received, [])
})

test('NATS: a request gets a response of any length, fails without a responder, and can be aborted', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const [a, b] = [await openHub(stack, nats.url, 'a'), await openHub(stack, nats.url, 'b')]
  const long = 'long '.repeat(1_000_000)
  const { promise: givenUp, resolve: onGivenUp } = Promise.withResolvers<void>()
  b.answer('double', async (body) => [body, body])
  b.answer('long', async () => long)
  b.answer('fails', () => Promise.reject(new Error('no')))
  b.answer('never', (_, signal) => new Promise(() => signal.addEventListener('abort', () => onGivenUp())))
  await ready(b, 'b')
  const { signal } = new AbortController()
  assert.deepEqual(await a.ask('b', 'double', { x: 1 }, signal), [{ x: 1 }, { x: 1 }])
  assert.equal(await a.ask('b', 'long', null, signal), long)
  await assert.rejects(a.ask('b', 'fails', null, signal), new HubUnreachableError('The other hub could not answer'))
  await assert.rejects(a.ask('gone', 'double', null, signal), new HubUnreachableError('The other hub is not connected'))
  const asking = new AbortController()
  const never = a.ask('b', 'never', null, asking.signal)
  asking.abort()
  await assert.rejects(never, new HubUnreachableError('The other hub did not respond in time'))
  await givenUp
})

test('NATS: a hub that starts without NATS, or loses it, connects later with its subscriptions', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  await nats.stop()
  const [a, b] = [await openHub(stack, nats.url, 'a'), await openHub(stack, nats.url, 'b')]
  a.publish('events.x', 'dropped')
  await assert.rejects(a.ask('b', 'q', null, new AbortController().signal), HubUnreachableError)
  b.answer('never', () => new Promise(() => {}))
  for (const round of ['first', 'second']) {
    await nats.start()
    await Promise.all([connection(a, true), connection(b, true)])
    const received = Promise.withResolvers<Json>()
    const stop = b.subscribe('events.>', (message) => message !== LOST && received.resolve(message))
    await ready(b, 'b')
    a.publish('events.x', round)
    assert.equal(await received.promise, round)
    stop()
    const refused = assert.rejects(
      a.ask('b', 'never', null, new AbortController().signal),
      new HubUnreachableError('The connection to the other hubs was lost'),
    )
    const [lostA, lostB] = [connection(a, false), connection(b, false)]
    await nats.stop()
    await Promise.all([refused, lostA, lostB])
  }
})

test('NATS: a reconnected hub reports that messages were lost', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const proxy = stack.use(await stallingProxy(nats.port))
  const a = await openHub(stack, `nats://127.0.0.1:${proxy.port}`, 'a')
  const b = await openHub(stack, nats.url, 'b')
  const atB = next(b, 'events.>')
  await ready(b, 'b')
  const [gone, back] = [connection(a, false), connection(a, false).then(() => connection(a, true))]
  proxy.cut()
  await gone
  a.publish('events.x', 'dropped')
  assert.deepEqual(await atB, [LOST, 'events.>'])
  await back
})

test('NATS: a message above the size limit is replaced by LOST, which is logged once', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const logged: string[] = []
  const log = { ...silentLog, error: (message: string) => logged.push(message) }
  const [a, b] = [await openHub(stack, nats.url, 'a', { log }), await openHub(stack, nats.url, 'b')]
  const [first, second] = [next(b, 'events.one'), next(b, 'events.two')]
  await ready(b, 'b')
  a.publish('events.one', 'x'.repeat(1024 * 1024))
  a.publish('events.two', 'x'.repeat(1024 * 1024))
  assert.deepEqual(
    [await first, await second],
    [
      [LOST, 'events.one'],
      [LOST, 'events.two'],
    ],
  )
  assert.deepEqual(logged, ['message to other hubs is too large'])
})

test('NATS: a server that reads nothing does not fill memory, and afterwards every subscriber receives LOST', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const proxy = stack.use(await stallingProxy(nats.port))
  const logged: string[] = []
  const log = { ...silentLog, error: (message: string) => logged.push(message) }
  const a = await openHub(stack, `nats://127.0.0.1:${proxy.port}`, 'a', { log, mostPendingBytes: 100_000 })
  const b = await openHub(stack, nats.url, 'b')
  const received: Json[] = []
  const { promise: lost, resolve } = Promise.withResolvers<void>()
  b.subscribe('events.>', (message) => {
    received.push(message)
    if (message === LOST) resolve()
  })
  await ready(b, 'b')
  proxy.stall(true)
  for (let count = 0; count < 1000; count++) a.publish('events.x', 'x'.repeat(1000))
  proxy.stall(false)
  await lost
  assert.ok(received.length < 110, `${received.length} messages`)
  assert.deepEqual(logged, ['NATS is too slow, messages to other hubs are lost'])
})

test('NATS: the connection to a frozen server is closed, although its send buffer is full', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const proxy = stack.use(await stallingProxy(nats.port))
  const a = await openHub(stack, `nats://127.0.0.1:${proxy.port}`, 'a', { silentMs: 200 })
  const b = await openHub(stack, nats.url, 'b')
  const lost = new Promise<void>((resolve) => b.subscribe('events.>', (message) => message === LOST && resolve()))
  await ready(b, 'b')
  const gone = connection(a, false)
  const back = gone.then(() => connection(a, true))
  proxy.stall(true)
  for (let count = 0; count < 15; count++) a.publish('events.x', 'x'.repeat(1_000_000))
  await gone
  await back
  await lost
})

test('NATS: damaged messages are dropped, and logged once', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const logged: string[] = []
  const log = { ...silentLog, warn: (message: string) => logged.push(message) }
  const b = await openHub(stack, nats.url, 'b', { log })
  const received = next(b, 'events.>')
  b.answer('double', async (body) => [body, body])
  await ready(b, 'b')
  const socket = connect(nats.port, '127.0.0.1')
  stack.defer(() => void socket.destroy())
  const send = (subject: string, text: string) => socket.write(`PUB ${subject} ${text.length}\r\n${text}\r\n`)
  socket.write('CONNECT {"verbose":false}\r\n')
  send('vedette.db1.events.x', '{"half":')
  send('vedette.db1.events.x', 'no JSON')
  send('vedette.db1.hub.b.double vedette.db1.reply.a', '{')
  send('vedette.db1.hub.b.double elsewhere', '1')
  send('vedette.db1.events.x', '"whole"')
  assert.deepEqual(await received, ['whole', 'events.x'])
  assert.deepEqual(logged, ['message from another hub is malformed'])
})

test('NATS: a TLS connection needs the right certificate', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer({ isEncrypted: true }))
  const at = `127.0.0.1:${nats.port}`
  const b = await openHub(stack, `tls://${at}?ca=${nats.ca}`, 'b')
  assert.ok(b.isConnected())
  await assert.rejects(openHub(stack, `tls://${at}`, 'c'), /The certificate of NATS is not trusted/)
  await assert.rejects(openHub(stack, `tls://${at}?ca=/nowhere.pem`, 'c'), /Cannot read the file "\/nowhere.pem"/)
  const plain = stack.use(await startNatsServer())
  await assert.rejects(openHub(stack, plain.url.replace('nats:', 'tls:'), 'c'), /NATS offers no TLS/)
})

const accounts = `authorization { users = [
  { user: "hub", password: "p@ss", permissions: { publish: "vedette.>", subscribe: "vedette.>" } }
  { user: "reader", password: "x", permissions: { publish: "other.>", subscribe: "vedette.>" } }
  { user: "writer", password: "x", permissions: { publish: "vedette.>", subscribe: "other.>" } }
] }`

test('NATS: a login without permission for the subjects is refused with one sentence', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer({ lines: accounts }))
  const as = (login: string) => openHub(stack, nats.url.replace('//', `//${login}@`), 'a')
  assert.ok((await as('hub:p%40ss')).isConnected())
  await assert.rejects(
    as('hub:wrong'),
    new HubMessagesUnusableError('NATS refuses the login of this hub: check user, password, token or credentials in --nats'),
  )
  await assert.rejects(openHub(stack, nats.url, 'a'), /NATS refuses the login/)
  for (const login of ['reader:x', 'writer:x'])
    await assert.rejects(
      as(login),
      new HubMessagesUnusableError(
        'NATS does not let this hub use its subjects: allow its account to publish and to subscribe to "vedette.>"',
      ),
    )
})

test('NATS: a hub can log in with a token or a credentials file', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer({ lines: 'authorization { token: "s3cret" }' }))
  assert.ok((await openHub(stack, nats.url.replace('//', '//s3cret@'), 'a')).isConnected())
  writeFileSync(`${nats.ca}.creds`, 'no credentials')
  await assert.rejects(openHub(stack, nats.url, 'a', { credentials: `${nats.ca}.creds` }), /contains no credentials of an account/)
})

test('NATS: one reachable server of several is enough', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const [one, two] = [stack.use(await startNatsServer()), stack.use(await startNatsServer())]
  await one.stop()
  const a = await openHub(stack, `${one.url},127.0.0.1:${two.port}`, 'a')
  await connection(a, true)
})

/** A proxy for a port. While it is stalled, it reads nothing from its clients. */
async function stallingProxy(port: number) {
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    clients.add(client)
    client.pipe(target)
    target.pipe(client)
    for (const socket of [client, target]) socket.on('error', () => {})
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stall: (isStalled: boolean) => clients.forEach((client) => (isStalled ? client.pause() : client.resume())),
    cut: () => clients.forEach((client) => client.destroy()),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy()
      server.close()
    },
  }
}
