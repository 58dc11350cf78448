import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { serve } from '../../src/platform/http/server.ts'
import { databases } from '../databases.ts'
import { recordedHub } from '../recorded-hub.ts'
import { newSaved, send } from '../recorded-step.ts'

const [kind] = databases
assert.ok(kind)

async function served() {
  assert.ok(kind)
  const hub = await recordedHub(kind)
  const server = await serve(hub.app, { host: '127.0.0.1', port: 0 })
  return {
    ...hub,
    server,
    async [Symbol.asyncDispose]() {
      await server.close()
      await hub[Symbol.asyncDispose]()
    },
  }
}

test('a large JSON response is compressed only for clients that accept gzip', async () => {
  await using hub = await recordedHub(kind)
  const path = '/api/collections/systems/records?perPage=100&expand=users'
  const authorization = await hub.tokenOf('super')
  const plain = await hub.app.request(path, { headers: { authorization } })
  const packed = await hub.app.request(path, { headers: { authorization, 'accept-encoding': 'gzip, br' } })
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  assert.match(packed.headers.get('vary') ?? '', /\bAccept-Encoding\b/)
  assert.equal(gunzipSync(await packed.arrayBuffer()).toString(), await plain.text())
})

test('a small JSON response and an event stream are never compressed', async () => {
  await using hub = await recordedHub(kind)
  const headers = { 'accept-encoding': 'gzip' }
  const small = await hub.app.request('/api/health', { headers })
  assert.deepEqual([small.headers.get('content-encoding'), (await small.json()) instanceof Object], [null, true])
  const stream = await hub.app.request('/api/realtime', { headers })
  assert.equal(stream.headers.get('content-encoding'), null)
  await stream.body?.cancel()
})

test('§8 default error message: what nobody expected is a 500 that tells nothing of itself', async () => {
  await using hub = await recordedHub(kind)
  await hub.test.database.close()
  const response = await hub.app.request('/api/collections/systems/records')
  assert.equal(response.status, 500)
  const envelope = { data: {}, message: 'Something went wrong while processing your request.', status: 500, code: 500 }
  assert.deepEqual(await response.json(), envelope)
})

test("§8 first-match lookup finds nothing: 404 with The requested resource wasn't found.", async () => {
  await using hub = await recordedHub(kind)
  const response = await hub.app.request('/api/collections/systems/records/none', {
    headers: { authorization: await hub.tokenOf('alice') },
  })
  assert.equal(response.status, 404)
  assert.deepEqual(await response.json(), { data: {}, message: "The requested resource wasn't found.", status: 404, code: 404 })
})

test('a body above the size limit is refused with 413', async () => {
  await using hub = await recordedHub(kind)
  const body = JSON.stringify({ identity: 'x'.repeat(9_000_000) })
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const response = await hub.app.request('/api/collections/users/auth-with-password', { method: 'POST', headers, body })
  assert.equal(response.status, 413)
})

test('a filter that is too long or nested too deep is refused with 400 and the position', async () => {
  await using hub = await recordedHub(kind)
  for (const [filter, position] of [
    [`name='${'x'.repeat(4000)}'`, 3500],
    [Array.from({ length: 250 }, () => 'id=1').join('||'), 1202],
    ['('.repeat(100) + 'id=1' + ')'.repeat(100), 64],
    ['nope=1', undefined],
  ] as const) {
    const path = `/api/collections/systems/records?filter=${encodeURIComponent(filter)}`
    const response = await send(hub, { as: 'alice', method: 'GET', path, response: { status: 400 } }, newSaved())
    assert.equal(response.status, 400)
    assert.equal(((await response.json()) as { position?: number }).position, position) // an error
  }
})

test('too many sign-in attempts are refused with 429 and Retry-After', async () => {
  await using hub = await recordedHub(kind)
  const attempt = () =>
    hub.app.request('/api/collections/users/auth-with-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identity: 'nobody@example.com', password: 'wrong' }),
    })
  const answers = await Promise.all(Array.from({ length: 21 }, async () => attempt()))
  const [refused] = answers.filter(({ status }) => status === 429)
  assert.equal(answers.filter(({ status }) => status === 400).length, 20)
  assert.ok(Number(refused?.headers.get('retry-after')) > 0)
})

test('an upgrade request for another path gets a normal response', async () => {
  await using hub = await served()
  const socket = connect(Number(new URL(hub.server.address).port), '127.0.0.1')
  socket.write('GET /elsewhere HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [answer]: Buffer[] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('a server that closes ends its event streams at once', async () => {
  const hub = await served()
  const response = await fetch(`${hub.server.address}/api/realtime`)
  const reader = response.body?.getReader()
  assert.ok(reader)
  await reader.read()
  hub.realtime.close()
  await hub.server.close()
  assert.equal((await reader.read()).done, true)
  await hub.test[Symbol.asyncDispose]()
})

/** Returns the server's raw response to these bytes, up to the end of the connection. A reset counts as an end. */
async function wire(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  socket.on('error', () => {})
  socket.write(request)
  await once(socket, 'close')
  return answer
}

const odd: readonly (readonly [name: string, request: string])[] = [
  ['an upgrade request for //', 'GET // HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'],
  [
    'an upgrade request for an invalid absolute address',
    'GET http://[ HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
  ],
  ['a request for //', 'GET // HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n'],
  ['an invalid Host header', 'GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n'],
  ['a path with an incomplete escape', 'GET /api/collections/%E0%A4%A/records HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n'],
  ['a request that is not HTTP', '\u0000\u0001\u0002\r\n\r\n'],
]

for (const [name, request] of odd) {
  test(`${name} gets a response and does not end the server`, { timeout: 300_000 }, async () => {
    await using hub = await served()
    const port = Number(new URL(hub.server.address).port)
    assert.match(await wire(port, request), /^HTTP\/1\.1 \d{3} /)
    assert.equal((await fetch(`${hub.server.address}/api/health`)).status, 200)
  })
}

test('a health check over HTTP/1.0 without a Host header gets a response', async () => {
  await using hub = await served()
  const port = Number(new URL(hub.server.address).port)
  assert.match(await wire(port, 'GET /api/health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
})

test('a connection is kept alive for longer than proxies keep theirs', async () => {
  await using hub = await served()
  const answer = await fetch(`${hub.server.address}/api/health`)
  assert.ok(Number(/timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '')?.[1]) > 60)
})
