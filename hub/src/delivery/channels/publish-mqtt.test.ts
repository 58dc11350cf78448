import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { UnreachableError } from '../../platform/outgoing/reachable-address.ts'
import { localCertificate } from '../../../test/local-certificate.ts'
import { message, NOW_MS, webPushKey } from '../../../test/told-channel.ts'
import { InternalDestination, readChannel, sendToChannel } from './channels.ts'
import { publishToBroker } from './publish-mqtt.ts'

const ACCEPTED = Buffer.from([0x20, 2, 0, 0])
const CONFIRMED = Buffer.from([0x40, 2, 0, 1])

/** A server that does as the test says with each connection, and knows when the connection ended. */
async function fakeBroker(behave: (socket: Socket) => void, { isTls = false } = {}) {
  const sockets: Socket[] = []
  const closed: Promise<unknown>[] = []
  const listener = (socket: Socket): void => {
    sockets.push(socket)
    socket.on('error', () => {})
    closed.push(new Promise((resolve) => socket.once('close', resolve)))
    behave(socket)
  }
  const server = isTls ? createTlsServer(localCertificate, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return {
    port,
    sockets,
    /** Resolves when the hub has ended all connections. */
    ended: () => Promise.all(closed),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers each packet with the next of these bytes, and records what it received. */
function answering(...answers: readonly Buffer[]) {
  const received: Buffer[] = []
  return {
    received,
    behave: (socket: Socket) =>
      void socket.on('data', (chunk: Buffer) => {
        const answer = answers[received.length]
        received.push(chunk)
        if (answer !== undefined) socket.write(answer)
      }),
  }
}

const publish = (port: number, more = '', { deadlineMs = 10_000, mayAskInternal = true } = {}) =>
  sendToChannel(readChannel(`mqtt://ann:S3cret@127.0.0.1:${port}/home/alerts${more}`, webPushKey), message, {
    nowMs: NOW_MS,
    reached: [],
    mayAskInternal,
    deadlineMs,
  })

test('publishToBroker sends CONNECT, PUBLISH with QoS 1 and DISCONNECT, and closes the connection', async () => {
  const { received, behave } = answering(ACCEPTED, CONFIRMED)
  await using broker = await fakeBroker(behave)
  assert.deepEqual(await publish(broker.port, '?clientid=c1&retained=yes'), { outcome: 'delivered', reached: [] })
  await broker.ended()
  const payload = Buffer.from(`${message.title}\n\n${message.body}\n\n${message.link}`)
  const publishLength = 2 + 11 + 2 + payload.length
  assert.deepEqual(
    Buffer.concat(received),
    Buffer.concat([
      Buffer.from([0x10, 27, 0, 4]),
      Buffer.from('MQTT'),
      Buffer.from([4, 0xc2, 0, 60]),
      Buffer.from([0, 2]),
      Buffer.from('c1'),
      Buffer.from([0, 3]),
      Buffer.from('ann'),
      Buffer.from([0, 6]),
      Buffer.from('S3cret'),
      Buffer.from([0x33, (publishLength % 128) | 0x80, Math.floor(publishLength / 128), 0, 11]),
      Buffer.from('home/alerts'),
      Buffer.from([0, 1]),
      payload,
      Buffer.from([0xe0, 0]),
    ]),
  )
})

test('publishToBroker reads replies that arrive byte by byte', async () => {
  const bytes = [...ACCEPTED, ...CONFIRMED].map((byte) => Buffer.from([byte]))
  await using broker = await fakeBroker((socket) => {
    socket.setNoDelay(true)
    let packets = 0
    socket.on('data', () => {
      packets += 1
      const from = (packets - 1) * 4
      const next = (at: number): void => void (at < from + 4 && socket.write(bytes[at] ?? '', () => setImmediate(next, at + 1)))
      if (packets <= 2) next(from)
    })
  })
  assert.equal((await publish(broker.port)).outcome, 'delivered')
  await broker.ended()
})

for (const [code, outcome, reason] of [
  [1, 'refused', 'the server does not accept MQTT 3.1.1'],
  [2, 'refused', 'the server rejected the client id'],
  [3, 'later', 'the server is unavailable'],
  [4, 'refused', 'the server rejected the user name or the password'],
  [5, 'refused', 'the server does not authorize this connection'],
  [6, 'later', 'the server refused the connection with code 6'],
  [255, 'later', 'the server refused the connection with code 255'],
] as const)
  test(`publishToBroker: the code ${code} of CONNACK is ${outcome}`, async () => {
    const { received, behave } = answering(Buffer.from([0x20, 2, 0, code]))
    await using broker = await fakeBroker(behave)
    assert.deepEqual(await publish(broker.port), { outcome, reason, reached: [] })
    await broker.ended()
    assert.equal(received.length, 1)
  })

const HUGE = Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f])

for (const [name, answers] of [
  ['an HTTP response', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\nS3cret')]],
  ['a packet of 256 MB', [HUGE]],
  ['a packet of 256 MB after the connection was accepted', [ACCEPTED, HUGE]],
  ['more bytes after CONNACK', [Buffer.concat([ACCEPTED, ACCEPTED])]],
  ['another packet instead of PUBACK', [ACCEPTED, ACCEPTED]],
  ['the confirmation of another message', [ACCEPTED, Buffer.from([0x40, 2, 0, 2])]],
] as const)
  test(`publishToBroker gives up a broker that sends ${name}`, async () => {
    await using broker = await fakeBroker(answering(...answers).behave)
    const reason = `publishing to "mqtt://127.0.0.1:${broker.port}": the server answered with something other than MQTT`
    assert.deepEqual(await publish(broker.port), { outcome: 'later', reason, reached: [] })
    await broker.ended()
  })

test('publishToBroker ends the connection to a broker that never stops sending', async () => {
  await using broker = await fakeBroker((socket) => {
    const chunk = Buffer.alloc(65_536, 0x30)
    const write = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', write)
    write()
  })
  assert.equal((await publish(broker.port)).outcome, 'later')
  await broker.ended()
})

for (const [name, answers] of [
  ['never answers', []],
  ['sends half a reply', [ACCEPTED.subarray(0, 2)]],
  ['never confirms the message', [ACCEPTED]],
] as const)
  test(`publishToBroker gives up a broker that ${name} at the deadline`, async () => {
    await using broker = await fakeBroker(answering(...answers).behave)
    const reason = `publishing to "mqtt://127.0.0.1:${broker.port}": no answer within 0.1 s`
    assert.deepEqual(await publish(broker.port, '', { deadlineMs: 100 }), { outcome: 'later', reason, reached: [] })
    await broker.ended()
  })

test('publishToBroker gives up a server that never answers the TLS handshake', async () => {
  await using broker = await fakeBroker(() => {})
  const channel = readChannel(`mqtts://127.0.0.1:${broker.port}/t`, webPushKey)
  const verdict = await sendToChannel(channel, message, { nowMs: NOW_MS, reached: [], mayAskInternal: true, deadlineMs: 100 })
  assert.ok(verdict.outcome === 'later' && verdict.reason.endsWith('no answer within 0.1 s'))
  // The server learns it when it reads.
  for (const socket of broker.sockets) socket.resume()
  await broker.ended()
})

test('publishToBroker ends the connection when it is cancelled', async () => {
  const closing = new AbortController()
  await using broker = await fakeBroker((socket) => void socket.once('data', () => closing.abort()))
  const verdict = await sendToChannel(readChannel(`mqtt://127.0.0.1:${broker.port}/t`, webPushKey), message, {
    nowMs: NOW_MS,
    reached: ['a'],
    mayAskInternal: true,
    signal: closing.signal,
  })
  assert.deepEqual([verdict.outcome, verdict.reached], ['later', ['a']])
  await broker.ended()
})

test('publishToBroker: a message is not delivered if the broker closes the connection before it confirms', async () => {
  await using broker = await fakeBroker((socket) => void socket.once('data', () => socket.write(ACCEPTED, () => socket.end())))
  const verdict = await publish(broker.port)
  assert.ok(verdict.outcome === 'later')
  assert.match(verdict.reason, /the server closed the connection|ECONNRESET|EPIPE/)
  await broker.ended()
})

test('publishToBroker: a message is delivered although the broker does not read its last packet', async () => {
  await using broker = await fakeBroker((socket) => {
    let packets = 0
    socket.on('data', () => {
      packets += 1
      socket.write(packets === 1 ? ACCEPTED : CONFIRMED)
      if (packets === 2) socket.pause()
    })
  })
  assert.equal((await publish(broker.port)).outcome, 'delivered')
  for (const socket of broker.sockets) socket.resume()
  await broker.ended()
})

test('publishToBroker verifies the certificate, unless the address accepts any', async () => {
  await using broker = await fakeBroker((socket) => answering(ACCEPTED, CONFIRMED).behave(socket), { isTls: true })
  const tell = (more: string) =>
    sendToChannel(readChannel(`mqtts://ann:S3cret@127.0.0.1:${broker.port}/t${more}`, webPushKey), message, {
      nowMs: NOW_MS,
      reached: [],
      mayAskInternal: true,
    })
  const refused = await tell('')
  assert.ok(refused.outcome === 'later')
  assert.match(refused.reason, /^publishing to "mqtts:\/\/127\.0\.0\.1:\d+": DEPTH_ZERO_SELF_SIGNED_CERT$/)
  assert.equal((await tell('?disabletlsverification=yes')).outcome, 'delivered')
  await broker.ended()
})

test('publishToBroker connects to internal addresses only with permission, and never to link-local ones', async () => {
  await using broker = await fakeBroker(answering(ACCEPTED, CONFIRMED).behave)
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '127.1'])
    await assert.rejects(
      sendToChannel(readChannel(`mqtt://${host}:${broker.port}/t`, webPushKey), message, {
        nowMs: NOW_MS,
        reached: [],
        mayAskInternal: false,
      }),
      InternalDestination,
      host,
    )
  assert.equal(broker.sockets.length, 0)
  const channel = readChannel('mqtt://169.254.169.254/t', webPushKey)
  const verdict = await sendToChannel(channel, message, { nowMs: NOW_MS, reached: [], mayAskInternal: true })
  assert.ok(verdict.outcome === 'later' && verdict.reason.endsWith('its address is link-local'))
})

test('publishToBroker connects to the address that was checked, whatever the name resolves to later', async () => {
  await using broker = await fakeBroker(answering(ACCEPTED, CONFIRMED).behave)
  const channel = readChannel(`mqtt://localhost:${broker.port}/t`, webPushKey)
  assert.ok('publication' in channel)
  const checked: string[] = []
  const outcome = await publishToBroker(channel.publication(message), { mayAsk: (address) => checked.push(address) > 0 })
  assert.equal(outcome.outcome, 'delivered')
  assert.ok(checked.includes(broker.sockets[0]?.localAddress ?? ''))
})

test('publishToBroker: the reason of a failed connection has no secret', () =>
  assert.rejects(
    publishToBroker(publicationOf(1), { mayAsk: () => true }),
    new UnreachableError('publishing to "mqtt://127.0.0.1:1": connection refused'),
  ))

function publicationOf(port: number) {
  const channel = readChannel(`mqtt://ann:S3cret@127.0.0.1:${port}/t`, webPushKey)
  assert.ok('publication' in channel)
  return channel.publication(message)
}
