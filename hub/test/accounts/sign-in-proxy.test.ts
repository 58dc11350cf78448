import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../../../tools/free-port.ts'
import { DOCUMENTED_HOST } from '../documented-proxies.ts'
import { httpPeer } from '../http-peer.ts'
import { startHubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { proxyProgram, startSignInProxy } from '../proxy-program.ts'
import { tlsCall, type TlsSite } from '../tls-client.ts'

const ADMIN = { VEDETTE_ADMIN_EMAIL: 'admin@example.com', VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' }
const REFRESH = 'POST /api/collections/users/auth-refresh'
const FORGED = { 'remote-email': 'admin@example.com' }

test(
  'nginx with the documented lines signs its users in, and removes a header that a client forged',
  { skip: proxyProgram('nginx') === undefined && 'nginx is not installed', timeout: 300_000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const data = makeMemoryFolder('vedette-sign-in-')
    stack.defer(() => rmSync(data, { recursive: true, force: true }))
    const flags = ['--auth-header=Remote-Email', '--trusted-proxies=127.0.0.1', '--user-creation=true']
    const hub = await startHubProcess([`--data=${data}`, `--app-url=https://${DOCUMENTED_HOST}`, ...flags], ADMIN)
    stack.defer(() => hub.kill('SIGKILL'))
    // The sign-in program of the proxy: its cookie holds the user.
    const signIn = stack.use(
      await httpPeer(({ headers: { cookie } }) =>
        cookie === undefined
          ? { status: 401 }
          : { status: 200, headers: { 'remote-email': cookie.slice('user='.length), 'content-type': 'text/plain' } },
      ),
    )
    const port = await freePort()
    stack.use(await startSignInProxy(`127.0.0.1:${signIn.port}`, { port, hub: new URL(hub.address).host }))
    const site: TlsSite = { port, host: DOCUMENTED_HOST, base: '', from: '127.0.0.9' }
    const origin = { origin: `https://${DOCUMENTED_HOST}` }

    assert.equal((await tlsCall(site, REFRESH, { headers: FORGED })).status, 401)
    for (const headers of [origin, { ...origin, ...FORGED }]) {
      const { status, body } = await tlsCall(site, REFRESH, { headers: { ...headers, cookie: 'user=ops@example.com' } })
      assert.equal(status, 200, body)
      assert.match(body, /"email":"ops@example\.com"/)
    }
    // A signed-in user without an email address gets no session, even with a forged header.
    const nameless = await tlsCall(site, REFRESH, { headers: { ...FORGED, cookie: 'user=' } })
    assert.equal(nameless.status, 401)
    // The paths of agents need no sign-in at the proxy, and reach only the hub's agent routes.
    const agent = await tlsCall(site, 'GET /api/beszel/agent-connect', { headers: FORGED })
    assert.equal(agent.status, 400, agent.body)
    for (const path of ['/agent/../api/collections/users/auth-refresh', '/agent/%2e%2e/api/collections/users/auth-refresh'])
      assert.notEqual((await tlsCall(site, `POST ${path}`, { headers: FORGED })).status, 200, path)
  },
)
