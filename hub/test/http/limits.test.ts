import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateLimiter } from '../../src/platform/limits/rate-limiter.ts'
import { defaultRateLimits } from '../../src/platform/limits/rate-rules.ts'
import { databases } from '../databases.ts'
import { call, codeOf } from '../mailing-hub.ts'
import { recordedHub } from '../recorded-hub.ts'

for (const kind of databases) {
  test(`${kind.name}: a rate limit refuses the client that exceeds it, and no other client`, async () => {
    await using hub = await recordedHub(kind)
    const [boss, alice] = [await hub.tokenOf('super'), await hub.tokenOf('alice')]
    const rules = [
      { label: '/api/', audience: '@auth', maxRequests: 2, duration: 3600 },
      { label: '/api/health', audience: '@guest', maxRequests: 1, duration: 3600 },
    ]
    const saved = await call(hub, 'PATCH /api/settings', { rateLimits: { enabled: true, rules } }, { token: boss })
    assert.equal(saved.status, 200)
    const asked = async (token: string, path = '/api/health') => (await call(hub, `GET ${path}`, {}, { token })).status
    assert.deepEqual([await asked(''), await asked(''), await asked('', '/api/beszel/first-run')], [200, 429, 200])
    assert.deepEqual([await asked(alice), await asked(alice, '/api/vedette/storing'), await asked(alice)], [200, 200, 429])
    for (let round = 0; round < 5; round++) assert.equal(await asked(boss), 200)
    const request = new Request('http://hub/api/health', { headers: { authorization: alice } })
    const refused = await hub.app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } })
    assert.deepEqual([refused.status, Number(refused.headers.get('retry-after')) > 3000], [429, true])
    assert.deepEqual(await refused.json(), { code: 429, data: {}, message: 'Too Many Requests.', status: 429 })
    assert.equal((await call(hub, 'PATCH /api/settings', { rateLimits: { enabled: false } }, { token: boss })).status, 200)
    assert.equal(await asked(alice), 200)
  })

  test(`${kind.name}: a different spelling of a path does not bypass its rate limit`, async () => {
    await using hub = await recordedHub(kind)
    const rules = [{ label: 'users:authWithPassword', audience: '', maxRequests: 1, duration: 3600 }]
    const token = await hub.tokenOf('super')
    assert.equal((await call(hub, 'PATCH /api/settings', { rateLimits: { enabled: true, rules } }, { token })).status, 200)
    const wrong = { identity: 'nobody@example.com', password: 'wrong words' }
    const asked = async (collection: string, end = '') =>
      (await call(hub, `POST /api/collections/${collection}/auth-with-password${end}`, wrong)).status
    assert.equal(await asked('users'), 400)
    for (const spelt of ['users', '%75sers', '_pb_users_auth_', 'user%73', '%5fpb_users_auth_'])
      assert.equal(await asked(spelt), 429, spelt)
    assert.notEqual(await asked('users', '/'), 400)
    assert.notEqual(await asked('%2575sers'), 400)
  })

  test(`${kind.name}: an invalid rate limit, network or header is refused with a field error, and no setting is saved`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const rule = { label: '*:auth', audience: '', maxRequests: 2, duration: 3 }
    const wrong: readonly (readonly [change: object, ...path: string[]])[] = [
      [{ rateLimits: { enabled: true, rules: [] } }, 'rateLimits', 'rules'],
      [{ rateLimits: { rules: [rule, { ...rule, maxRequests: 0 }] } }, 'rateLimits', 'rules', '1', 'maxRequests'],
      [{ rateLimits: { rules: [rule, rule] } }, 'rateLimits', 'rules', '1', 'label'],
      [{ rateLimits: { rules: [{ ...rule, audience: 'all' }] } }, 'rateLimits', 'rules', '0', 'audience'],
      [{ rateLimits: { rules: 'none' } }, 'rateLimits', 'rules'],
      [{ rateLimits: null }, 'rateLimits', 'rules'],
      [{ rateLimits: { excludedIPs: ['10.0.0.0/99'] } }, 'rateLimits', 'excludedIPs'],
      [{ trustedProxy: { networks: ['proxy'] } }, 'trustedProxy', 'networks'],
      [{ trustedProxy: { networks: '10.0.0.1' } }, 'trustedProxy', 'networks'],
      // Trusting every proxy would let every client choose its own address.
      [{ trustedProxy: { headers: ['X-Real-IP'] } }, 'trustedProxy', 'networks'],
      [{ trustedProxy: { networks: ['10.0.0.1'], headers: ['X Real'] } }, 'trustedProxy', 'headers'],
    ]
    for (const [change, ...path] of wrong) {
      const { status, body } = await call(hub, 'PATCH /api/settings', change, { token })
      assert.equal(status, 400, JSON.stringify(change))
      let at: unknown = body['data']
      for (const name of path) at = Object.entries(at ?? {}).find(([found]) => found === name)?.[1]
      assert.ok(typeof codeOf({ data: { found: at } }, 'found') === 'string', `${JSON.stringify(change)}: ${JSON.stringify(body)}`)
    }
    const { body } = await call(hub, 'GET /api/settings', {}, { token })
    assert.deepEqual(body['rateLimits'], defaultRateLimits)
    assert.deepEqual(body['trustedProxy'], { headers: [], useLeftmostIP: false, networks: [] })
  })
}

for (const kind of databases) {
  test(`${kind.name}: proxies that an admin adds are trusted at once with the given headers, and other addresses are not`, async () => {
    await using hub = await recordedHub(kind)
    const authorization = await hub.tokenOf('super')
    const seen = async (from: string, headers: Readonly<Record<string, string>>) => {
      const request = new Request('http://hub/api/health', { headers: { authorization, ...headers } })
      const answer = await hub.app.fetch(request, { incoming: { socket: { remoteAddress: from }, headers } })
      const { data } = (await answer.json()) as { readonly data: { readonly realIP: string; readonly possibleProxyHeader: string } } // the response of the route
      return [data.realIP, data.possibleProxyHeader]
    }
    const change = async (trustedProxy: object) =>
      (await call(hub, 'PATCH /api/settings', { trustedProxy }, { token: authorization })).status
    const sent = { 'x-forwarded-for': '203.0.113.9, 203.0.113.10', 'x-real-ip': '203.0.113.11' }
    assert.deepEqual(await seen('192.0.2.1', sent), ['192.0.2.1', 'X-Forwarded-For'])
    assert.equal(await change({ networks: ['192.0.2.0/24'] }), 200)
    assert.deepEqual(await seen('192.0.2.1', sent), ['203.0.113.10', 'X-Forwarded-For'])
    assert.deepEqual(await seen('198.51.100.1', sent), ['198.51.100.1', 'X-Forwarded-For'])
    assert.equal(await change({ headers: ['X-Real-IP'] }), 200)
    assert.deepEqual(await seen('192.0.2.1', sent), ['203.0.113.11', 'X-Forwarded-For'])
    assert.equal(await change({ headers: ['X-Forwarded-For'], useLeftmostIP: true }), 200)
    assert.deepEqual(await seen('192.0.2.1', sent), ['203.0.113.9', 'X-Forwarded-For'])
    assert.equal(await change({ headers: [], networks: [], useLeftmostIP: false }), 200)
    assert.deepEqual(await seen('192.0.2.1', {}), ['192.0.2.1', ''])
  })
}

test('rateLimiter: a window ends, each collection has its own window, and excluded networks have none', () => {
  let nowMs = 1_000_000
  const limiter = rateLimiter({ now: () => nowMs })
  const rules = [{ label: '*:create', audience: '', maxRequests: 1, duration: 5 }] as const
  limiter.follow({ enabled: true, rules, excludedIPs: ['192.0.2.0/24'] })
  const admit = (collection: string, address: string) =>
    limiter.admit({ labels: [`${collection}:create`, '*:create'], address, isGuest: true })
  assert.deepEqual([admit('a', '198.51.100.1'), admit('a', '198.51.100.1'), admit('b', '198.51.100.1')], [undefined, 5, undefined])
  assert.deepEqual([admit('a', '2001:db8::1'), admit('a', '2001:db8::2')], [undefined, 5])
  assert.deepEqual([admit('a', '192.0.2.7'), admit('a', '192.0.2.7')], [undefined, undefined])
  nowMs += 5000
  assert.equal(admit('a', '198.51.100.1'), undefined)
})
