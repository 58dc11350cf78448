import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { WebSocketServer } from 'ws'
import { withoutIpv6 } from '../../protocol/test/own-ipv6.ts'
import { agentCommand } from './agent-host.ts'
import { hubKey, RunningAgent } from './running-agent.ts'
import { ScriptedHub } from './scripted-hub.ts'
import { httpProxy, socksProxy, type Proxy } from './scripted-proxies.ts'
import { SshHub } from './ssh-client.ts'

/** Connections over ::1, on every host. */
const options = { timeout: 300_000, skip: withoutIpv6 }

const environment = (hubUrl: string) => ({ HUB_URL: hubUrl, TOKEN: 'test-token', LISTEN: '127.0.0.1:0', EXCLUDE_SMART: '*' })
const portOf = (hub: ScriptedHub): string => new URL(hub.url).port

for (const address of ['http://[::1]:PORT', 'ws://[::1]:PORT/base', 'HTTP://[0:0:0:0:0:0:0:1]:PORT', 'http://[::ffff:127.0.0.1]:PORT']) {
  test(`agent connects to the hub at ${address}`, options, async () => {
    await using hub = await ScriptedHub.start(undefined, address.includes('ffff') ? '127.0.0.1' : '::1')
    await using _agent = await RunningAgent.start(environment(address.replace('PORT', portOf(hub))))
    const { headers } = await hub.agent()
    assert.match(headers.host ?? '', new RegExp(`^\\[[0-9a-f:.]+\\]:${portOf(hub)}$`))
  })
}

for (const scheme of ['http', 'socks5', 'socks5h']) {
  test(`agent connects to a hub at ::1 through a ${scheme} proxy at ::1`, options, async () => {
    await using hub = await ScriptedHub.start(undefined, '::1')
    await using proxy = await (scheme === 'http' ? httpProxy('::1') : socksProxy('::1'))
    const proxied = { ...environment(`http://[::1]:${portOf(hub)}`), ALL_PROXY: `${scheme}://user:pass%21@[::1]:${proxy.port}` }
    await using _agent = await RunningAgent.start(proxied)
    await hub.agent()
    assert.deepEqual(proxy.asked, [`user:pass!@[::1]:${portOf(hub)}`])
  })
}

test('agent connects to a hub over TLS at ::1 through the proxy of HTTPS_PROXY', options, async () => {
  const [cert, key] = ['self-signed.pem', 'self-signed.key'].map((name) =>
    readFileSync(new URL(`./test-only-certificates/${name}`, import.meta.url)),
  )
  assert.ok(cert && key)
  const https = createServer({ cert, key }).listen(0, '::1')
  const sockets = new WebSocketServer({ server: https })
  await once(https, 'listening')
  const { port } = https.address() as AddressInfo // a TCP server's address is an object
  const connected = once(sockets, 'connection')
  await using proxy = await httpProxy('::1')
  const proxied = {
    ...environment(`https://[::1]:${port}`),
    HTTPS_PROXY: `user:pass%21@[::1]:${proxy.port}`,
    HUB_CERT_SHA256: new X509Certificate(cert).fingerprint256,
  }
  {
    await using _agent = await RunningAgent.start(proxied)
    await connected
    assert.deepEqual(proxy.asked, [`user:pass!@[::1]:${port}`])
  }
  https.closeAllConnections()
  https.close()
})

for (const [noProxy, isDirect] of [
  ['::1', true],
  ['[::1]', true],
  ['0:0::0:1', true],
  ['::/64', true],
  ['localhost, ::1/128', true],
  ['::2,fd00::/8,127.0.0.0/8', false],
] as const) {
  test(`agent ${isDirect ? 'bypasses' : 'uses'} the proxy to ::1 with NO_PROXY ${noProxy}`, options, async () => {
    await using hub = await ScriptedHub.start(undefined, '::1')
    await using proxy: Proxy = await socksProxy('::1')
    const proxied = {
      ...environment(`http://[::1]:${portOf(hub)}`),
      ALL_PROXY: `socks5://[::1]:${proxy.port}`,
      NO_PROXY: noProxy,
    }
    await using _agent = await RunningAgent.start(proxied)
    await hub.agent()
    assert.deepEqual(proxy.asked, isDirect ? [] : [`[::1]:${portOf(hub)}`])
  })
}

for (const [listen, reached] of [
  ['[::1]:0', ['::1']],
  ['[::]:0', ['::1', '127.0.0.1']],
  ['0', ['::1', '127.0.0.1']],
] as const) {
  test(`agent that listens on ${listen} accepts SSH connections at ${reached.join(' and ')}`, options, async () => {
    await using agent = await RunningAgent.start({ LISTEN: listen })
    for (const host of reached) {
      await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText, undefined, host)
      assert.equal((await hub.shell(Uint8Array.of(0xa1, 0, 0), { end: true })).order.includes('close'), true)
    }
  })
}

/** The agent as a process that can resolve one more host name. */
function agentThatKnows(hostsFile: string, env: Readonly<Record<string, string>>): ChildProcess {
  const script = 'mount --bind "$0" /etc/hosts; exec "$@"'
  const args = ['--mount', 'sh', '-ec', script, hostsFile, ...agentCommand()]
  return spawn('unshare', args, { env: { PATH: process.env['PATH'], KEY: hubKey.publicLine, DOCKER_HOST: '', ...env }, stdio: 'ignore' })
}

const mayHaveOwnHosts = process.getuid?.() === 0
for (const at of ['::1', '127.0.0.1']) {
  const skip = options.skip === false && !mayHaveOwnHosts ? 'only root gives a process names of its own' : options.skip
  test(`agent tries both addresses of a host name when the hub listens at ${at} only`, { ...options, skip }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vedette-names-'))
    const hosts = join(folder, 'hosts')
    await writeFile(hosts, '127.0.0.1 both.test\n::1 both.test\n')
    await using hub = await ScriptedHub.start(undefined, at)
    const child = agentThatKnows(hosts, { ...environment(`http://both.test:${portOf(hub)}`), DATA_DIR: folder })
    const exited = once(child, 'close')
    try {
      const { headers } = await hub.agent()
      assert.equal(headers.host, `both.test:${portOf(hub)}`)
    } finally {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true })
    }
  })
}
