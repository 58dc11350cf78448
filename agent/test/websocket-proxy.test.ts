import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { WebSocketServer } from 'ws'
import { RunningAgent } from './running-agent.ts'
import { ScriptedHub } from './scripted-hub.ts'
import { httpProxy, socksProxy } from './scripted-proxies.ts'

test(
  'websocket-link connects to a hub over TLS through the proxy of HTTPS_PROXY, and verifies the certificate',
  { timeout: 300_000 },
  async () => {
    await using proxy = await httpProxy()
    const [cert, key] = ['self-signed.pem', 'self-signed.key'].map((name) =>
      readFileSync(new URL(`./test-only-certificates/${name}`, import.meta.url)),
    )
    assert.ok(cert && key)
    const https = createHttpsServer({ cert, key })
    const sockets = new WebSocketServer({ server: https })
    https.listen(0, '127.0.0.1')
    await once(https, 'listening')
    const { port } = https.address() as AddressInfo // a TCP server's address is an object
    const connected = once(sockets, 'connection')
    const secure = {
      HUB_URL: `https://hub.invalid:${port}`,
      TOKEN: 'test-token',
      LISTEN: '127.0.0.1:0',
      HTTPS_PROXY: `http://user:pass%21@127.0.0.1:${proxy.port}`,
      HUB_CERT_SHA256: new X509Certificate(cert).fingerprint256,
    }
    {
      await using _ = await RunningAgent.start(secure)
      await connected
      assert.deepEqual(proxy.asked, [`user:pass!@hub.invalid:${port}`])
    }
    await using agent = await RunningAgent.start({ ...secure, HTTPS_PROXY: `http://user:secret@127.0.0.1:${proxy.port}` })
    await agent.line('it refused the login')
    assert.ok(!agent.lines.some(({ text }) => text.includes('secret')))
    https.closeAllConnections()
    https.close()
  },
)

const environment = (hub: ScriptedHub, url: string) => ({
  HUB_URL: url.replace('PORT', new URL(hub.url).port),
  TOKEN: 'test-token',
  LISTEN: '127.0.0.1:0',
  SMART_DEVICES: '',
  EXCLUDE_SMART: '*',
})

test('websocket-link connects to the hub through the proxy of ALL_PROXY, which resolves the host name', { timeout: 300_000 }, async () => {
  await using hub = await ScriptedHub.start()
  await using proxy = await socksProxy()
  const proxied = { ...environment(hub, 'http://hub.invalid:PORT'), ALL_PROXY: `socks5://user:pass%21@127.0.0.1:${proxy.port}` }
  await using _ = await RunningAgent.start(proxied)
  const { headers } = await hub.agent()
  assert.equal(headers['x-token'], 'test-token')
  assert.deepEqual(proxy.asked, [`user:pass!@hub.invalid:${new URL(hub.url).port}`])
})

test('websocket-link bypasses the proxy for a host in NO_PROXY', { timeout: 300_000 }, async () => {
  await using hub = await ScriptedHub.start()
  await using proxy = await socksProxy()
  const direct = {
    ...environment(hub, 'http://127.0.0.1:PORT'),
    ALL_PROXY: `socks5://127.0.0.1:${proxy.port}`,
    NO_PROXY: '127.0.0.0/8',
  }
  await using _ = await RunningAgent.start(direct)
  await hub.agent()
  assert.deepEqual(proxy.asked, [])
})

test('websocket-link logs that the proxy is unreachable, without its password', { timeout: 300_000 }, async () => {
  await using hub = await ScriptedHub.start()
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo // a TCP server's address is an object
  closed.close()
  await once(closed, 'close')
  const proxied = { ...environment(hub, 'http://hub.invalid:PORT'), ALL_PROXY: `socks5://user:secret@127.0.0.1:${port}` }
  await using agent = await RunningAgent.start(proxied)
  await agent.line('Cannot connect to the hub')
  assert.ok(agent.lines.some(({ text }) => text.includes('ECONNREFUSED')))
  assert.ok(!agent.lines.some(({ text }) => text.includes('secret')))
})
