import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpPeer } from '../../../test/http-peer.ts'
import { hubSide, message, NOW_MS } from '../../../test/told-channel.ts'
import { AddressError } from './address.ts'
import { readChannel } from './channels.ts'
import { InternalDestination, tellChannel } from './tell-channel.ts'

const tell = (address: string, mayAskInternal = true) =>
  tellChannel(readChannel(address, hubSide), message, { nowMs: NOW_MS, reached: [], mayAskInternal })

test('tellChannel sends to a server, internal ones only for those who may', async () => {
  await using peer = await httpPeer()
  const address = `generic://127.0.0.1:${peer.port}/hook?disabletls=yes&template=json&@Authorization=Bearer%20key`
  assert.deepEqual(await tell(address), { outcome: 'delivered', reached: [] })
  const [first] = peer.received
  assert.deepEqual([first?.method, first?.url, first?.headers.authorization], ['POST', '/hook', 'Bearer key'])
  assert.equal(JSON.parse(first?.body ?? '').title, message.title)
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])
    await assert.rejects(tell(`generic://${host}:${peer.port}/?disabletls=yes`, false), InternalDestination, host)
  assert.equal(peer.received.length, 1)
})

test('tellChannel never asks where clouds answer what is nobody else’s', async () => {
  const verdict = await tell('generic://169.254.169.254/?disabletls=yes')
  assert.ok(verdict.outcome === 'later' && verdict.said.endsWith('its address is link-local'))
})

for (const [answer, expected] of [
  [
    { status: 500, body: 'the peer’s own words' },
    { outcome: 'later', said: 'the server answered with status 500', reached: [] },
  ],
  [
    { status: 302, headers: { location: 'http://169.254.169.254/' } },
    { outcome: 'refused', said: 'the server answered with status 302', reached: [] },
  ],
  [
    { status: 429, headers: { 'retry-after': '120' } },
    { outcome: 'later', said: 'the server answered with status 429', afterMs: 120_000, reached: [] },
  ],
  [
    { status: 503, headers: { 'retry-after': new Date(NOW_MS + 60_000).toUTCString() } },
    { outcome: 'later', said: 'the server answered with status 503', afterMs: 60_000, reached: [] },
  ],
  [
    { status: 429, headers: { 'retry-after': 'soon' } },
    { outcome: 'later', said: 'the server answered with status 429', reached: [] },
  ],
] as const)
  test(`tellChannel: ${JSON.stringify(answer)} is ${expected.outcome}`, async () => {
    await using peer = await httpPeer(() => answer)
    assert.deepEqual(await tell(`generic://127.0.0.1:${peer.port}/?disabletls=yes`), expected)
    assert.equal(peer.received.length, 1)
  })

test('tellChannel: what is said holds no secret of the address', async () => {
  await using peer = await httpPeer(({ headers }) => ({
    status: 401,
    body: JSON.stringify({ error: `no such token ${String(headers['x-gotify-key'])}` }),
  }))
  const verdict = await tell(`gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa?disabletls=yes`)
  assert.deepEqual(verdict, { outcome: 'refused', said: 'the server answered with status 401: no such token ***', reached: [] })
  const nobody = await tell('generic://watch:pa%40ssword@127.0.0.1:1/x?disabletls=yes&key=s3cr%2Fet')
  assert.deepEqual(nobody, {
    outcome: 'later',
    said: 'sending HTTP request: Post "http://watch:***@127.0.0.1:1/x?key=***": dial tcp 127.0.0.1:1: connect: connection refused',
    reached: [],
  })
})

test('tellChannel: what no request can hold is an error of the address', () =>
  assert.rejects(tell('ntfy://127.0.0.1:1/t?token=a%0d%0ab'), AddressError))

test('tellChannel: a server that says nothing', async () => {
  const { promise: never } = Promise.withResolvers<never>()
  await using peer = await httpPeer(() => never)
  const talk = tellChannel(readChannel(`generic://127.0.0.1:${peer.port}/?disabletls=yes`, hubSide), message, {
    nowMs: NOW_MS,
    reached: [],
    mayAskInternal: true,
    deadlineMs: 50,
  })
  assert.match(JSON.stringify(await talk), /no answer within/)
})

test('tellChannel: a certificate that nobody signed, only where the address says so', async () => {
  await using peer = await httpPeer(() => ({ status: 200 }), { isTls: true })
  const address = `gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa`
  assert.equal((await tell(address)).outcome, 'later')
  assert.equal((await tell(`${address}?insecureskipverify=yes`)).outcome, 'delivered')
  assert.equal(peer.received.length, 1)
})
