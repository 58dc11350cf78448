import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { runningHub } from '../running-hub.ts'

for (const kind of databases) {
  test(`${kind.name}: a hub sends heartbeats to its monitoring URL, and tells an admin whether they succeed`, async () => {
    const heard: { readonly request: IncomingMessage; readonly body: string }[] = []
    let status = 200
    const watch = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        heard.push({ request, body })
        watch.emit('heard')
        response.writeHead(status).end()
      })
    }).listen(0, '127.0.0.1')
    await once(watch, 'listening')
    const first = once(watch, 'heard')
    const { port } = watch.address() as AddressInfo // a TCP server has an address
    await using hub = await runningHub(kind, [`--heartbeat-url=http://127.0.0.1:${port}/ping/secret-key`, '--heartbeat-interval=86400'])
    await first
    const { request, body } = heard[0] ?? assert.fail('nothing was heard')
    assert.deepEqual([request.method, request.url, request.headers['content-type']], ['POST', '/ping/secret-key', 'application/json'])
    const { status: said, systems, down_systems: down } = JSON.parse(body) as Record<string, unknown> // the request body is an object
    assert.deepEqual([said, systems, down], ['ok', { total: 0, up: 0, down: 0, paused: 0, pending: 0 }, []])

    const told = await hub.call(hub.admin.token, 'GET /api/beszel/heartbeat-status')
    assert.deepEqual(told.body, { enabled: true, url: `http://127.0.0.1:${port}`, interval: 86_400, method: 'POST' })
    assert.deepEqual((await hub.call(hub.admin.token, 'POST /api/beszel/test-heartbeat')).body, { err: false })
    assert.equal(heard.length, 2)
    status = 503
    const { err } = (await hub.call(hub.admin.token, 'POST /api/beszel/test-heartbeat')).body
    assert.equal(err, 'Cannot send the heartbeat: the other side answered 503')
    watch.close()
    watch.closeAllConnections()
    const gone = (await hub.call(hub.admin.token, 'POST /api/beszel/test-heartbeat')).body['err']
    assert.match(String(gone), /^Cannot send the heartbeat: (ECONNREFUSED|UND_ERR_SOCKET)$/)
    assert.equal((await hub.call('', 'POST /api/beszel/test-heartbeat')).status, 401)
  })
}
