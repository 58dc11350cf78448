import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { applicationServerKey } from '../../src/delivery/channels/vapid.ts'
import { databases } from '../databases.ts'
import { localCertificate } from '../local-certificate.ts'
import { notificationScene } from '../notification-scene.ts'
import { pushBrowser } from '../push-browser.ts'
import { webPushKey } from '../told-channel.ts'

type Pushed = { readonly path: string | undefined; readonly authorization: string; readonly topic: string; readonly body: Buffer }

/** A push service that records its messages and responds with the given statuses in turn. */
async function pushService(statuses: readonly number[]) {
  const pushed: Pushed[] = []
  const server = createServer(localCertificate, (request, response) => {
    void buffer(request).then((body) => {
      const { authorization = '', topic } = request.headers
      pushed.push({ path: request.url, authorization, topic: String(topic), body })
      response.writeHead(statuses[pushed.length - 1] ?? 201).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  const before = getCACertificates()
  setDefaultCACertificates([...before, localCertificate.cert])
  return {
    pushed,
    origin: `https://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(before)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns the VAPID claims of the sender. Throws unless they are signed with the hub's own key (RFC 8292). */
function claimsIn(authorization: string): unknown {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  assert.equal(key, applicationServerKey(webPushKey))
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  assert.ok(isSigned)
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}

for (const kind of databases) {
  test(`${kind.name}: a subscribed browser is notified through its push service, and a retry has the same topic`, async () => {
    await using service = await pushService([503])
    await using scene = await notificationScene(kind)
    const browser = pushBrowser()
    await scene.channels({ webhooks: [`webpush://${service.host}/send/a%2Fb?token=x&p256dh=${browser.p256dh}&auth=${browser.auth}`] })
    await scene.tell('i1')
    await scene.settled()
    await scene.pass(1)
    const [first, second, ...more] = service.pushed
    assert.ok(first !== undefined && second !== undefined && more.length === 0)
    assert.deepEqual([first.path, second.path, first.topic], ['/send/a%2Fb?token=x', '/send/a%2Fb?token=x', second.topic])
    for (const { authorization, body } of [first, second]) {
      assert.partialDeepStrictEqual(claimsIn(authorization), { aud: service.origin })
      assert.partialDeepStrictEqual(browser.decrypted(body), {
        title: 'web CPU above threshold',
        link: 'https://hub.example/system/web',
        severity: 'firing',
      })
    }
    const [delivery, ...others] = await scene.deliveries()
    assert.deepEqual([delivery?.state, delivery?.kind, others], ['delivered', 'Web Push', []])
  })

  test(`${kind.name}: a delivery to an expired push subscription is not retried`, async () => {
    await using service = await pushService([410])
    await using scene = await notificationScene(kind)
    const browser = pushBrowser()
    await scene.channels({ webhooks: [`webpush://${service.host}/send/gone?p256dh=${browser.p256dh}&auth=${browser.auth}`] })
    await scene.tell('i1')
    await scene.settled()
    await scene.pass(60)
    assert.deepEqual([service.pushed.length, (await scene.deliveries())[0]?.state], [1, 'refused'])
  })
}
