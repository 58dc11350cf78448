import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { InternalDestination, NotificationFailed, sendToWebhook, webhookRequest } from './generic-webhook.ts'

const notice = { title: 'Title', message: 'A "message"\nof two lines' }

for (const [address, expected] of [
  ['generic://example.com', { url: 'https://example.com/', method: 'POST', body: 'Title\n\nA "message"\nof two lines' }],
  ['generic://example.com:8443/a/b?disabletls=yes', { url: 'http://example.com:8443/a/b' }],
  ['generic+http://example.com/x?k=v&method=put', { url: 'http://example.com/x?k=v', method: 'PUT' }],
  ['generic+https://user:pass@example.com/x', { url: 'https://user:pass@example.com/x' }],
  ['generic://example.com/?contenttype=text/plain&@X-Key=secret', { headers: { 'content-type': 'text/plain', 'x-key': 'secret' } }],
  ['generic://example.com/?template=json', { body: '{"title":"Title","message":"A \\"message\\"\\nof two lines"}' }],
  [
    'generic://example.com/?template=JSON&titlekey=subject&messagekey=text&$channel=ops',
    { url: 'https://example.com/', body: '{"channel":"ops","subject":"Title","text":"A \\"message\\"\\nof two lines"}' },
  ],
] as const) {
  test(`webhookRequest: ${address}`, () => {
    const request = webhookRequest(address, notice)
    assert.deepEqual({ ...request, ...expected }, request)
  })
}

test('webhookRequest refuses a method that is none', () => {
  assert.throws(() => webhookRequest('generic://example.com/?method=CONNECT', notice), NotificationFailed)
})

async function receiver(status: number, headers: Readonly<Record<string, string>> = {}) {
  const received: { request: IncomingMessage; body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ request, body })
      response.writeHead(status, headers).end('the peer’s own words')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return { received, port, [Symbol.asyncDispose]: async () => void server.close() }
}

test('sendToWebhook sends to a server, internal ones for admins alone', async () => {
  await using peer = await receiver(204)
  const address = `generic://127.0.0.1:${peer.port}/hook?disabletls=yes&template=json&@Authorization=Bearer%20key`
  await sendToWebhook(address, notice, { isAdmin: true })
  const [first] = peer.received
  assert.deepEqual([first?.request.method, first?.request.url, first?.request.headers.authorization], ['POST', '/hook', 'Bearer key'])
  assert.deepEqual(JSON.parse(first?.body ?? ''), notice)
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])
    await assert.rejects(
      sendToWebhook(`generic://${host}:${peer.port}/?disabletls=yes`, notice, { isAdmin: false }),
      InternalDestination,
      host,
    )
  await assert.rejects(sendToWebhook('generic://169.254.169.254/?disabletls=yes', notice, { isAdmin: true }), /its address is link-local/)
  assert.equal(peer.received.length, 1)
})

test('sendToWebhook tells what came of it, and nothing of what the peer said', async () => {
  for (const [status, headers] of [
    [500, {}],
    [302, { location: 'http://169.254.169.254/' }],
  ] as const) {
    await using peer = await receiver(status, headers)
    await assert.rejects(sendToWebhook(`generic://127.0.0.1:${peer.port}/?disabletls=yes`, notice, { isAdmin: true }), (error: unknown) => {
      assert.ok(error instanceof NotificationFailed)
      assert.match(error.message, new RegExp(`the server answered with status ${status}$`))
      return true
    })
    assert.equal(peer.received.length, 1)
  }
  await assert.rejects(
    sendToWebhook('generic://127.0.0.1:1/x?disabletls=yes', notice, { isAdmin: true }),
    /Post "http:\/\/127\.0\.0\.1:1\/x": dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
  )
})
