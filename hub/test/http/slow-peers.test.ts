import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Hono, type Context } from 'hono'
import { setClientAddress } from '../../src/platform/http/client-address.ts'
import { standardPeerLimits } from '../../src/platform/http/peer-limits.ts'
import type { RequestContext } from '../../src/http/requests/request-context.ts'
import { requestConcurrency } from '../../src/platform/http/request-concurrency.ts'
import { get, rawConnection, type RawConnection } from '../raw-connection.ts'
import { servedApp, servedHub } from '../served-hub.ts'

const SIGN_IN = '/api/collections/users/auth-with-password'
const MEBIBYTE = 1024 * 1024

const post = (path: string, headers: Readonly<Record<string, string | number>>): string =>
  `POST ${path} HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

test('a client that does not send its headers in time, or sends nothing, gets 408', async () => {
  await using hub = await servedHub({ limits: { headersMs: 100 } })
  for (const sent of ['', 'GET /api/health HTTP/1.1\r\nHost:']) {
    const one = await rawConnection(hub.port)
    if (sent !== '') one.write(sent)
    assert.match(await one.ended, /^HTTP\/1\.1 408 /)
  }
})

test('headers that arrive in pieces within the time limit get a response', async () => {
  await using hub = await servedHub()
  const [slow, quick] = [await rawConnection(hub.port), await rawConnection(hub.port)]
  for (const piece of ['GET /api/health', ' HTTP/1.1\r\n', 'Host: hub\r\n']) {
    slow.write(piece)
    quick.write(get('/api/health'))
    await quick.reads(/\}$/)
  }
  slow.write('\r\n')
  assert.match(await slow.reads(/\}/), /^HTTP\/1\.1 200 /)
})

test('headers of more than 16 KiB are refused with 431', async () => {
  await using hub = await servedHub()
  const header = (bytes: number): string => get('/api/health', { 'x-long': 'x'.repeat(bytes) })
  const [fits, long] = [await rawConnection(hub.port), await rawConnection(hub.port)]
  fits.write(header(16_000))
  assert.match(await fits.reads(/\}/), /^HTTP\/1\.1 200 /)
  long.write(header(17_000))
  assert.match(await long.ended, /^HTTP\/1\.1 431 /)
})

test('a guest whose body does not arrive in time gets 408, while a signed-in user has more time', async () => {
  await using hub = await servedHub({ limits: { guestBodyMs: 100 } })
  const authorization = await hub.tokenOf('alice')
  const body = JSON.stringify({ clientId: 'nobody' })
  const [guest, account] = [await rawConnection(hub.port), await rawConnection(hub.port)]
  account.write(post('/api/realtime', { authorization, 'content-length': body.length }) + body.slice(0, 5))
  guest.write(post('/api/realtime', { 'content-length': body.length }) + body.slice(0, 5))
  assert.match(await guest.ended, /^HTTP\/1\.1 408 [^]*"status":408/)
  account.write(body.slice(5))
  assert.match(await account.reads(/\}/), /^HTTP\/1\.1 404 /)
})

test('a signed-in user whose body does not arrive in time gets 408', async () => {
  await using hub = await servedHub({ limits: { bodyMs: 100 } })
  const one = await rawConnection(hub.port)
  one.write(post('/api/realtime', { authorization: await hub.tokenOf('alice'), 'content-length': 9 }) + '{')
  assert.match(await one.ended, /^HTTP\/1\.1 408 /)
})

test('a guest may send 256 KiB and a user 8 MiB, in chunks or not; one more byte gets 413', { timeout: 300_000 }, async () => {
  await using hub = await servedHub()
  const authorization = await hub.tokenOf('alice')
  const { guestBodyBytes, bodyBytes } = standardPeerLimits
  assert.deepEqual([guestBodyBytes, bodyBytes], [MEBIBYTE / 4, 8 * MEBIBYTE])
  for (const [most, headers] of [
    [guestBodyBytes, {}],
    [bodyBytes, { authorization }],
  ] as const) {
    for (const [bytes, status] of [
      [most, 404],
      [most + 1, 413],
    ] as const) {
      const body = JSON.stringify({ clientId: 'nobody' }).padEnd(bytes)
      const [whole, chunked] = [await rawConnection(hub.port), await rawConnection(hub.port)]
      whole.write(post('/api/realtime', { ...headers, 'content-length': bytes }) + body)
      assert.match(await whole.reads(/"status":\d+/), new RegExp(`^HTTP/1.1 ${status} `))
      chunked.write(post('/api/realtime', { ...headers, 'transfer-encoding': 'chunked' }))
      chunked.write(`${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
      assert.match(await chunked.reads(/"status":\d+/), new RegExp(`^HTTP/1.1 ${status} `))
    }
  }
})

test('request bodies of one address have a memory limit: the oldest request gets 429, and the newest continues', async () => {
  await using hub = await servedHub({ limits: { unprovedBytesPerSource: 100_000 } })
  const half = '{"identity":"'.padEnd(50_000, 'x')
  const sending = async () => {
    const one = await rawConnection(hub.port)
    one.write(post(SIGN_IN, { 'content-length': 60_000, expect: '100-continue' }))
    await one.reads(/^HTTP\/1\.1 100 /)
    one.write(half)
    return one
  }
  const [oldest, second] = [await sending(), await sending()]
  const newest = await sending()
  assert.match(await oldest.ended, /HTTP\/1\.1 429 [^]*retry-after: 1/i)
  assert.deepEqual([second.isOpen(), newest.isOpen()], [true, true])
  newest.write('"}'.padEnd(10_000))
  assert.match(await newest.reads(/"status":\d+/), /HTTP\/1\.1 400 /)
})

test('an account may buffer 64 MiB of bodies; beyond it its oldest request gets 429, and other accounts continue', async () => {
  assert.equal(standardPeerLimits.bytesPerOwner, 64 * MEBIBYTE)
  await using hub = await servedHub({ limits: { bytesPerOwner: 100_000, unprovedBytesPerSource: 1 } })
  const body = JSON.stringify({ clientId: 'nobody' }).padEnd(50_000)
  const sending = async (who: string) => {
    const authorization = await hub.tokenOf(who)
    const one = await rawConnection(hub.port)
    one.write(post('/api/realtime', { authorization, 'content-length': body.length, expect: '100-continue' }))
    await one.reads(/^HTTP\/1\.1 100 /)
    one.write(body.slice(0, -1))
    return one
  }
  const isReceived = async (one: RawConnection) => {
    one.write(body.slice(-1))
    assert.match(await one.reads(/"status":\d+/), /HTTP\/1\.1 404 /)
  }
  const [oldest, second, other] = [await sending('alice'), await sending('alice'), await sending('bob')]
  assert.deepEqual([oldest.isOpen(), second.isOpen()], [true, true])
  const newest = await sending('alice')
  assert.match(await oldest.ended, /HTTP\/1\.1 429 [^]*retry-after: 1/i)
  for (const one of [second, newest, other]) await isReceived(one)
})

test('a GET that gets its response before its body has arrived ends its connection', async () => {
  await using hub = await servedHub()
  const one = await rawConnection(hub.port)
  one.write('GET /api/health HTTP/1.1\r\nHost: hub\r\nContent-Length: 1000\r\n\r\nx')
  assert.match(await one.ended, /^HTTP\/1\.1 200 /)
})

/** More bytes than the kernel buffers for both ends of a connection. */
const LARGE = Buffer.alloc(64 * MEBIBYTE, 'x')
const largeApp = (): Hono<RequestContext> => new Hono<RequestContext>().get('/large', (c) => c.body(LARGE))

test('a response that the client does not read ends with its connection', { timeout: 300_000 }, async () => {
  await using app = await servedApp(largeApp(), { stalledMs: 100, readBytesPerSecond: 1024 * MEBIBYTE })
  const one = await rawConnection(app.port)
  one.write(get('/large'))
  await one.reads(/^HTTP\/1\.1 200 /)
  one.socket.pause()
  await app.openCount(0)
  one.socket.resume()
  assert.ok((await one.ended).length < LARGE.length)
})

test('a response that the client reads slowly, but within the time limit, is sent completely', { timeout: 300_000 }, async () => {
  await using app = await servedApp(largeApp(), {})
  const one = await rawConnection(app.port)
  one.write(get('/large', { connection: 'close' }))
  for (let piece = 0; piece < 20; piece++) {
    await once(one.socket, 'data')
    one.socket.pause()
    await fetch(`http://127.0.0.1:${app.port}/none`)
    one.socket.resume()
  }
  assert.ok((await one.ended).length > LARGE.length)
})

test('unread responses of one address have a memory limit: above it the oldest connection is closed', { timeout: 300_000 }, async () => {
  await using app = await servedApp(largeApp(), { unprovedBytesPerSource: 2.5 * LARGE.length })
  const asking = async () => {
    const one = await rawConnection(app.port)
    one.write(get('/large'))
    await one.reads(/^HTTP\/1\.1 200 /)
    one.socket.pause()
    return one
  }
  const [oldest, second] = [await asking(), await asking()]
  await app.openCount(2)
  const newest = await asking()
  await app.openCount(2)
  oldest.socket.resume()
  assert.ok((await oldest.ended).length < LARGE.length)
  for (const one of [second, newest]) {
    one.socket.resume()
    await one.reads(/x{10}$/)
    assert.equal(one.isOpen(), true)
    one.socket.destroy()
  }
})

test('a client may pipeline 32 requests; another one ends the connection', async () => {
  const { promise: answer, resolve } = Promise.withResolvers<void>()
  const slowApp = new Hono<RequestContext>().get('/slow', async (c) => {
    await answer
    return c.text('done.')
  })
  await using app = await servedApp(slowApp, {})
  const { pipelinedRequests } = standardPeerLimits
  const [most, more] = [await rawConnection(app.port), await rawConnection(app.port)]
  most.write(get('/slow').repeat(pipelinedRequests - 1) + get('/slow', { connection: 'close' }))
  more.write(get('/slow').repeat(pipelinedRequests + 1))
  assert.equal(await more.ended, '')
  resolve()
  assert.equal((await most.ended).split('done.').length - 1, pipelinedRequests)
})

test('pipelined requests are handled one after the other, in order', async () => {
  let running = 0
  const handled: string[] = []
  const app = new Hono<RequestContext>().get('/:name', async (c) => {
    running += 1
    assert.equal(running, 1)
    handled.push(c.req.param('name'))
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return c.text(`${c.req.param('name')}.`)
  })
  await using served = await servedApp(app, {})
  const one = await rawConnection(served.port)
  one.write(get('/a') + get('/b') + get('/c', { connection: 'close' }))
  assert.match(await one.ended, /a\.[^]*b\.[^]*c\.$/)
  assert.deepEqual(handled, ['a', 'b', 'c'])
})

test('a client that pipelines large requests and reads nothing costs the memory of one response only', async () => {
  let made = 0
  const app = new Hono<RequestContext>().get('/large', (c) => {
    made += 1
    return c.body(LARGE)
  })
  await using served = await servedApp(app, {})
  const one = await rawConnection(served.port)
  one.write(get('/large').repeat(20))
  await one.reads(/^HTTP\/1\.1 200 /)
  one.socket.pause()
  assert.equal((await fetch(`http://127.0.0.1:${served.port}/other`)).status, 404)
  assert.equal(made, 1)
  one.socket.destroy()
})

test('each source runs a limited number of requests at once; its other requests wait, but not those of other sources', async () => {
  const { promise: answer, resolve } = Promise.withResolvers<void>()
  const started: string[] = []
  const app = new Hono<RequestContext>()
    .use(setClientAddress(({ headers }) => String(headers?.['x-address'])))
    .use(requestConcurrency(2, (c: Context<RequestContext>) => c.var.address))
    .get('/:name', async (c) => {
      started.push(c.req.param('name'))
      if (c.req.param('name') !== 'quick') await answer
      return c.text('done.')
    })
  await using served = await servedApp(app, {})
  const ask = async (name: string, address: string) => {
    const one = await rawConnection(served.port)
    one.write(get(`/${name}`, { 'x-address': address, connection: 'close' }))
    return one
  }
  const quick = async () => assert.match(await (await ask('quick', '192.0.2.2')).ended, /done\.$/)
  const [first] = [await ask('a', '192.0.2.1'), await ask('b', '192.0.2.1')]
  await quick()
  const waiting = await ask('c', '192.0.2.1')
  const left = await ask('d', '192.0.2.1')
  await quick()
  left.socket.resetAndDestroy()
  await quick()
  assert.deepEqual(started, ['a', 'b', 'quick', 'quick', 'quick'])
  resolve()
  assert.match(await first.ended, /done\.$/)
  assert.match(await waiting.ended, /done\.$/)
  assert.equal(started.at(-1), 'c')
})
