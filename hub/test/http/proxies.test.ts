import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { freePort } from '../../../tools/free-port.ts'
import { DOCUMENTED_HOST, documentedProxy, proxyNames, type ProxyName, type ProxyPlace } from '../documented-proxies.ts'
import { framingAgent } from '../framing-agent.ts'
import { startHubProcess } from '../hub-process.ts'
import { siteCertificate } from '../local-certificate.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { proxyProgram, startProxy } from '../proxy-program.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'
import { eventsOf, stalledConnection, tlsCall, tlsRequest, type TlsSite } from '../tls-client.ts'

const ADMIN = { identity: 'admin@example.com', password: 'correct-horse-1' }
const CLIENT = '127.0.0.9'
/** An address that the client claims for itself. */
const FORGED = { 'x-forwarded-for': '203.0.113.5' }
const JSON_TYPE = { 'content-type': 'application/json' }
const SLOW = 40

type Called = Awaited<ReturnType<typeof tlsCall>>
const fieldsOf = ({ body }: Called) => JSON.parse(body) as { readonly [name: string]: unknown } // the hub answers objects

/** A hub behind a proxy, with a client of the proxy that has another address of this machine. */
async function hubBehind(name: ProxyName, place: ProxyPlace) {
  const stack = new AsyncDisposableStack()
  const base = place === 'path' ? '/monitor' : ''
  const data = makeMemoryFolder('vedette-behind-')
  stack.defer(() => rmSync(data, { recursive: true, force: true }))
  const socket = join(data, 'hub.sock')
  const flags = [`--data=${data}`, `--app-url=https://${DOCUMENTED_HOST}${base}`]
  const more = place === 'socket' ? [`--listen=unix:${socket}`, '--trusted-proxies=unix'] : ['--trusted-proxies=127.0.0.1']
  const hub = await startHubProcess([...flags, ...more], { VEDETTE_ADMIN_EMAIL: ADMIN.identity, VEDETTE_ADMIN_PASSWORD: ADMIN.password })
  stack.defer(() => hub.kill('SIGKILL'))
  const port = await freePort()
  stack.use(await startProxy(name, place, { port, hub: place === 'socket' ? socket : new URL(hub.address).host }))
  const site: TlsSite = { port, host: DOCUMENTED_HOST, base, from: CLIENT }
  const signedIn = await tlsCall(site, 'POST /api/collections/users/auth-with-password', {
    headers: { ...JSON_TYPE, ...FORGED },
    body: JSON.stringify(ADMIN),
  })
  assert.equal(signedIn.status, 200, signedIn.body)
  const { token: authorization, record } = fieldsOf(signedIn) as { readonly token: string; readonly record: { readonly id: string } } // of a session
  const call = (asked: string, body?: object) =>
    tlsCall(site, asked, {
      headers: { authorization, ...JSON_TYPE, ...FORGED },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const createSystem = async (name: string): Promise<void> => {
    const made = await call('POST /api/collections/systems/records', { name, host: '192.0.2.1', users: [record.id] })
    assert.equal(made.status, 200, made.body)
  }
  return { site, authorization, call, createSystem, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

type Behind = Awaited<ReturnType<typeof hubBehind>>

/** A stream of all changes of systems. */
async function followSystems({ site, call }: Behind) {
  const response = await tlsRequest(site, 'GET /api/realtime', { headers: FORGED })
  const events = eventsOf(response)
  const first = await events.next((event) => event.includes('PB_CONNECT'))
  const { clientId } = JSON.parse(/^data:(.*)$/m.exec(first)?.[1] ?? '{}') as { readonly clientId: string } // the first event
  assert.equal((await call('POST /api/realtime', { clientId, subscriptions: ['systems/*'] })).status, 204)
  return { next: events.next, [Symbol.dispose]: () => void response.destroy() }
}

/** A form with one file, as browsers send it. */
const formOf = (name: string, file: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--edge\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/zip\r\n\r\n`),
    file,
    Buffer.from('\r\n--edge--\r\n'),
  ])

const placeText = { root: 'at the root', path: 'under a path', socket: 'on a Unix socket' } as const

function suite(name: ProxyName, place: ProxyPlace): void {
  const missing = proxyProgram(name) === undefined ? `${name.toLowerCase()} is not installed` : false
  describe(`a hub behind ${name} with the documented configuration, ${placeText[place]}`, { skip: missing, timeout: 300_000 }, () => {
    let behind: Behind
    before(async () => {
      behind = await hubBehind(name, place)
    })
    after(() => behind[Symbol.asyncDispose]())

    test('an agent connects by WebSocket from its own address, and its event arrives while the stream is open', async () => {
      const { site, call } = behind
      using systems = await followSystems(behind)
      const enabled = fieldsOf(await call('GET /api/beszel/universal-token?enable=1'))
      const agent = framingAgent({
        url: `wss://127.0.0.1:${site.port}${site.base}/api/beszel/agent-connect`,
        token: String(enabled['token']),
        connection: {
          ca: siteCertificate.cert,
          servername: site.host,
          localAddress: CLIENT,
          headers: { host: site.host, ...FORGED },
        },
        answer({ id, request }) {
          if (request.action === 'fingerprint')
            return [bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: 'behind-a-proxy', hostname: 'behind' } }, id))]
          if (request.action !== 'data') return []
          return [bytesOf(encodeEnvelope({ kind: 'document', document: encodeDocument(machineSample) }, id))]
        },
      })
      const event = await systems.next((text) => text.includes('"status":"up"'))
      assert.match(event, new RegExp(`"host":"${CLIENT}"`))
      agent.close()
    })

    test('the session and the log have the client’s address, not the proxy’s or a forged one', async () => {
      const { call } = behind
      const sessions = fieldsOf(await call('GET /api/account/sessions'))['items'] as readonly { readonly address: string }[]
      assert.deepEqual([...new Set(sessions.map(({ address }) => address))], [CLIENT])
      const { body } = await call(`GET /api/logs?filter=${encodeURIComponent("data.status < 300 && data.method = 'POST'")}`)
      assert.match(body, new RegExp(`"userIP":"${CLIENT}"`))
      assert.doesNotMatch(body, /203\.0\.113|"userIP":"(?:127\.0\.0\.1|unix)"/)
    })

    test('a backup of several MB is downloaded and uploaded unchanged', async () => {
      const { site, authorization, call } = behind
      for (const at of [1, 2, 3, 4]) {
        const account = { email: `user-${at}@example.com`, password: 'a good password', passwordConfirm: 'a good password' }
        const user = fieldsOf(await call('POST /api/collections/users/records', account))['id']
        const { id } = fieldsOf(await call('POST /api/collections/user_settings/records', { user, settings: {} }))
        const settings = { random: randomBytes(650_000).toString('base64') }
        assert.equal((await call(`PATCH /api/collections/user_settings/records/${String(id)}`, { settings })).status, 200)
      }
      assert.equal((await call('POST /api/backups', { name: 'made.zip' })).status, 204)
      const { token } = fieldsOf(await call('POST /api/files/token')) as { readonly token: string }
      const downloaded = await tlsRequest(site, `GET /api/backups/made.zip?token=${token}`)
      const file = await buffer(downloaded)
      assert.ok(file.length > 2_000_000, `${file.length} bytes`)
      const sent = await tlsCall(site, 'POST /api/backups/upload', {
        headers: { authorization, 'content-type': 'multipart/form-data; boundary=edge' },
        body: formOf('sent.zip', file),
      })
      assert.equal(sent.status, 204, sent.body)
      const listed = JSON.parse((await call('GET /api/backups')).body) as readonly { readonly key: string; readonly size: number }[]
      assert.equal(listed.find(({ key }) => key === 'sent.zip')?.size, file.length)
    })

    test(`${SLOW} clients that send or read slowly do not delay others`, async () => {
      const { site, authorization, call, createSystem } = behind
      using systems = await followSystems(behind)
      const host = `Host: ${site.host}\r\nAuthorization: ${authorization}\r\n`
      const upload = `POST ${site.base}/api/backups/upload HTTP/1.1\r\n${host}Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 5000000\r\n\r\n--edge\r\n`
      const sign = `POST ${site.base}/api/collections/users/auth-with-password HTTP/1.1\r\nHost: ${site.host}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`
      const list = `GET ${site.base}/api/collections/systems/records HTTP/1.1\r\n${host}\r\n`
      const stalled = await Promise.all(
        Array.from({ length: SLOW }, (_, at) => stalledConnection(site, [upload, sign, list][at % 3] ?? '')),
      )
      assert.equal((await call('GET /api/health')).status, 200)
      await createSystem('while slow')
      await systems.next((event) => event.includes('while slow'))
      for (const socket of stalled) socket.destroy()
    })
  })
}

for (const name of proxyNames)
  for (const place of ['root', 'path', 'socket'] as const) if (documentedProxy(name, place) !== undefined) suite(name, place)
