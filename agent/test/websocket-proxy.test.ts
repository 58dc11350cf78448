import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { WebSocketServer } from 'ws'
import { RunningAgent } from './running-agent.ts'
import { ScriptedHub } from './scripted-hub.ts'

type Proxy = AsyncDisposable & {
  readonly port: number
  /** What clients asked for, `user:password@host:port`; the host is a name where they left it to the proxy. */
  readonly asked: readonly string[]
}

/** A SOCKS5 proxy (RFC 1928, 1929) that takes everybody with a name, everybody else too, and connects to this machine whatever the host. */
async function socksProxy(): Promise<Proxy> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const serve = async (client: Socket): Promise<void> => {
    open.add(client)
    client.on('error', () => client.destroy())
    const next = async (): Promise<Buffer> => ((await once(client, 'data')) as [Buffer])[0]
    const methods = (await next()).subarray(2)
    const withName = methods.includes(2)
    client.write(Buffer.of(5, withName ? 2 : 0))
    let who = ''
    if (withName) {
      const login = await next()
      const nameEnd = 2 + (login[1] ?? 0)
      who = `${login.subarray(2, nameEnd).toString()}:${login.subarray(nameEnd + 1).toString()}@`
      client.write(Buffer.of(1, 0))
    }
    const request = await next()
    const length = request[4] ?? 0
    const host = request[3] === 3 ? request.subarray(5, 5 + length).toString() : request.subarray(4, 8).join('.')
    const port = request.readUInt16BE(request.length - 2)
    asked.push(`${who}${host}:${port}`)
    const upstream = connect(port, '127.0.0.1')
    open.add(upstream)
    upstream.on('error', () => client.destroy())
    await once(upstream, 'connect')
    client.write(Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0))
    client.pipe(upstream)
    upstream.pipe(client)
  }
  const server = createServer((client) => void serve(client)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is an object
  return {
    port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An HTTP proxy that knows nothing but CONNECT, asks for `user` with `pass!`, and connects to this machine whatever the host. */
async function httpProxy(): Promise<Proxy> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const server = createHttpServer((_request, response) => response.writeHead(405).end())
  server.on('connection', (socket) => open.add(socket))
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    const login = Buffer.from(headers['proxy-authorization']?.replace('Basic ', '') ?? '', 'base64').toString()
    asked.push(`${login}@${url}`)
    if (login !== 'user:pass!') return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
    const upstream = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(upstream)
      upstream.pipe(client)
    })
    open.add(upstream)
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is an object
  return {
    port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

test('websocket-link reaches a hub over TLS through the proxy of HTTPS_PROXY, and knows its certificate', { timeout: 20_000 }, async () => {
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
})

const environment = (hub: ScriptedHub, url: string) => ({
  HUB_URL: url.replace('PORT', new URL(hub.url).port),
  TOKEN: 'test-token',
  LISTEN: '127.0.0.1:0',
  SMART_DEVICES: '',
  EXCLUDE_SMART: '*',
})

test('websocket-link reaches the hub through the proxy of ALL_PROXY, which resolves the name', { timeout: 20_000 }, async () => {
  await using hub = await ScriptedHub.start()
  await using proxy = await socksProxy()
  const proxied = { ...environment(hub, 'http://hub.invalid:PORT'), ALL_PROXY: `socks5://user:pass%21@127.0.0.1:${proxy.port}` }
  await using _ = await RunningAgent.start(proxied)
  const { headers } = await hub.agent()
  assert.equal(headers['x-token'], 'test-token')
  assert.deepEqual(proxy.asked, [`user:pass!@hub.invalid:${new URL(hub.url).port}`])
})

test('websocket-link goes past the proxy to a host that NO_PROXY names', { timeout: 20_000 }, async () => {
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

test('websocket-link says that the proxy cannot be reached, and nothing of its password', { timeout: 20_000 }, async () => {
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
