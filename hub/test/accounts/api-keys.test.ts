import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeys } from '../../src/accounts/api-keys/api-keys.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { databases, silentLog } from '../databases.ts'
import { newApiKey, signedIn } from '../issued-keys.ts'
import { call, codeOf, type JsonBody } from '../mailing-hub.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const alice = dataset.aliases['alice'] ?? ''
const SYSTEMS = '/api/collections/systems/records'
const HOUR_MS = 3_600_000

const statusOf = async (hub: RecordedHub, token: string, request = `GET ${SYSTEMS}`, body: object = {}) =>
  (await call(hub, request, body, { token })).status

async function listOf(hub: RecordedHub, token: string): Promise<readonly JsonBody[]> {
  const { status, body } = await call(hub, 'GET /api/account/api-keys', {}, { token })
  assert.equal(status, 200)
  return (body as JsonBody & { readonly items: readonly JsonBody[] }).items // the response of the route
}

/** A clock that the test sets, and the store of keys that reads it. */
function clockedKeys(hub: RecordedHub, startMs: number) {
  const clock: Clock & { nowMs: number } = { nowMs: startMs, now: () => clock.nowMs }
  return { clock, keys: apiKeys({ ...hub.engine, clock, log: silentLog }) }
}

for (const kind of databases) {
  test(`${kind.name}: a key is shown once, works with and without Bearer, is listed, and is refused once revoked`, async () => {
    await using hub = await recordedHub(kind)
    const token = await signedIn(hub, 'alice')
    const made = await call(hub, 'POST /api/account/api-keys', { name: 'Grafana', scope: 'read' }, { token })
    assert.equal(made.status, 200)
    const key = String(made.body['key'])
    assert.match(key, /^vdt_[0-9a-z]{50}$/)
    assert.deepEqual([made.body['name'], made.body['scope'], made.body['expires'], made.body['used']], ['Grafana', 'read', '', ''])
    assert.deepEqual([await statusOf(hub, key), await statusOf(hub, `Bearer ${key}`)], [200, 200])
    const [listed = {}] = await listOf(hub, token)
    assert.deepEqual(Object.keys(listed).toSorted(), ['created', 'expires', 'id', 'name', 'scope', 'tags', 'used'])
    assert.match(String(listed['used']), /^\d{4}-/)
    const path = `DELETE /api/account/api-keys/${String(listed['id'])}`
    assert.equal(await statusOf(hub, await signedIn(hub, 'rita'), path), 404)
    assert.equal(await statusOf(hub, key), 200)
    assert.equal(await statusOf(hub, token, path), 204)
    assert.equal(await statusOf(hub, token, path), 404)
    assert.equal(await statusOf(hub, key), 401)
    assert.deepEqual(await listOf(hub, token), [])
  })

  test(`${kind.name}: the database holds the SHA-256 of a key and not the key`, async () => {
    await using hub = await recordedHub(kind)
    const key = await newApiKey(hub, 'alice', 'read')
    const rows = await hub.engine.database.kysely.selectFrom('api_keys').selectAll().execute()
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify(rows).includes(key.slice(4)))
    assert.match(rows[0]?.digest ?? '', /^[0-9a-f]{64}$/)
  })

  test(`${kind.name}: an unknown, malformed or long key is 401 everywhere, also where guests are admitted`, async () => {
    await using hub = await recordedHub(kind)
    for (const wrong of [`vdt_${'x'.repeat(50)}`, 'vdt_', 'vdt_short', `vdt_${'x'.repeat(5000)}`, `Bearer vdt_${'0'.repeat(50)}`])
      for (const path of [SYSTEMS, '/api/health', '/api/collections/users/auth-methods'])
        assert.equal(await statusOf(hub, wrong, `GET ${path}`), 401, `${wrong.slice(0, 20)} ${path}`)
  })

  test(`${kind.name}: a key with an expiry time is refused from that time on`, async () => {
    await using hub = await recordedHub(kind)
    const { clock, keys } = clockedKeys(hub, Date.UTC(2030, 0, 1))
    const owner = (await hub.engine.store.load('users', alice)) ?? assert.fail()
    const { key } = await keys.create(owner, { name: 'short', scope: 'read', expiresMs: clock.nowMs + HOUR_MS })
    clock.nowMs += HOUR_MS - 1
    assert.equal((await keys.identify(key))?.actor.id, alice)
    clock.nowMs += 1
    assert.equal(await keys.identify(key), undefined)
  })

  test(`${kind.name}: the last use is stored at most once a minute`, async () => {
    await using hub = await recordedHub(kind)
    const { clock, keys } = clockedKeys(hub, Date.UTC(2030, 0, 1))
    const owner = (await hub.engine.store.load('users', alice)) ?? assert.fail()
    const { key } = await keys.create(owner, { name: 'busy', scope: 'read', expiresMs: undefined })
    const used: (number | undefined)[] = []
    for (const stepMs of [0, 59_999, 1, 59_999, 1]) {
      clock.nowMs += stepMs
      await Promise.all([keys.identify(key), keys.identify(key)])
      used.push((await keys.list(alice))[0]?.usedMs)
    }
    const start = Date.UTC(2030, 0, 1)
    assert.deepEqual(used, [start, start, start + 60_000, start + 60_000, start + 120_000])
  })

  test(`${kind.name}: a key still reads when its use cannot be stored`, async () => {
    await using hub = await recordedHub(kind)
    const key = await newApiKey(hub, 'alice', 'read')
    const database = { ...hub.engine.database, write: () => Promise.reject(new Error('disk full')) }
    const bearer = await apiKeys({ ...hub.engine, database, log: silentLog }).identify(key)
    assert.equal(bearer?.actor.id, alice)
  })

  test(`${kind.name}: a key follows its owner: a new role narrows it, a deleted or unverified account ends it`, async () => {
    await using hub = await recordedHub(kind)
    const boss = await hub.tokenOf('super')
    const key = await newApiKey(hub, 'alice', 'write')
    const rename = async () => statusOf(hub, key, `PATCH ${SYSTEMS}/sys000000000005`, { name: 'renamed' })
    const change = async (values: object) => statusOf(hub, boss, `PATCH /api/collections/users/records/${alice}`, values)
    assert.equal(await rename(), 200)
    assert.equal(await change({ role: 'readonly' }), 200)
    assert.equal(await rename(), 404)
    assert.equal(await statusOf(hub, key), 200)
    assert.equal(await change({ verified: false }), 200)
    assert.equal(await statusOf(hub, key), 401)
    assert.equal(await change({ verified: true }), 200)
    assert.equal(await statusOf(hub, key), 200)
    assert.equal(await statusOf(hub, boss, `DELETE /api/collections/users/records/${alice}`), 204)
    assert.equal(await statusOf(hub, key), 401)
    assert.deepEqual(await hub.engine.database.kysely.selectFrom('api_keys').selectAll().execute(), [])
  })

  test(`${kind.name}: invalid values are refused by field, and a user has at most 50 keys`, async () => {
    await using hub = await recordedHub(kind)
    const token = await signedIn(hub, 'alice')
    const make = (body: object, as = token) => call(hub, 'POST /api/account/api-keys', body, { token: as })
    for (const [field, value] of [
      ['name', ''],
      ['name', 'x'.repeat(101)],
      ['name', 7],
      ['scope', 'admin'],
      ['scope', undefined],
      ['expires', 'tomorrow'],
      ['expires', '2020-01-01'],
      ['expires', '9999-01-01'],
    ] as const) {
      const { status, body } = await make({ name: 'key', scope: 'read', [field]: value })
      assert.deepEqual([status, typeof codeOf(body, field)], [400, 'string'], `${field} ${String(value)}`)
    }
    const rita = await signedIn(hub, 'rita')
    for (const scope of ['write', 'ingest']) assert.equal((await make({ name: 'key', scope }, rita)).status, 400)
    assert.equal((await make({ name: 'key', scope: 'read' }, rita)).status, 200)
    const many = await Promise.all(Array.from({ length: 60 }, (_, at) => make({ name: `key ${at}`, scope: 'read' })))
    assert.equal(many.filter(({ status }) => status === 200).length, 50)
    assert.equal((await make({ name: 'one more', scope: 'read' })).status, 400)
  })

  test(`${kind.name}: a session of fixed length and a key create no key, so that neither outlives its end`, async () => {
    await using hub = await recordedHub(kind)
    const make = (token: string) => statusOf(hub, token, 'POST /api/account/api-keys', { name: 'more', scope: 'read' })
    assert.equal(await make(await hub.tokenOf('alice')), 403)
    for (const scope of ['read', 'write', 'ingest'] as const) {
      assert.equal(await make(await newApiKey(hub, 'alice', scope)), 403)
      assert.equal(await statusOf(hub, await newApiKey(hub, 'boss', scope), 'GET /api/account/api-keys'), 403)
    }
  })

  test(`${kind.name}: an admin lists the keys of all users and revokes one; both changes are in the audit log`, async () => {
    await using hub = await recordedHub(kind)
    const key = await newApiKey(hub, 'alice', 'read')
    const token = await hub.tokenOf('boss')
    const { body } = await call(hub, 'GET /api/vedette/api-keys', {}, { token })
    const [listed = {}] = (body as JsonBody & { readonly items: readonly JsonBody[] }).items // the response of the route
    assert.deepEqual([listed['user'], listed['email'], listed['scope']], [alice, 'alice@example.com', 'read'])
    assert.equal(await statusOf(hub, await hub.tokenOf('alice'), `DELETE /api/vedette/api-keys/${String(listed['id'])}`), 403)
    assert.equal(await statusOf(hub, token, `DELETE /api/vedette/api-keys/${String(listed['id'])}`), 204)
    assert.equal(await statusOf(hub, key), 401)
    const audit = await hub.engine.database.kysely.selectFrom('audit_log').selectAll().where('target', '=', 'api_keys').execute()
    assert.deepEqual(
      audit.map(({ action, actorName, targetName }) => [action, actorName, targetName]),
      [
        ['create', 'alice@example.com', 'read key'],
        ['delete', dataset.superuser.email, 'read key'],
      ],
    )
    assert.ok(!JSON.stringify(audit).includes(key))
  })

  test(`${kind.name}: wrong keys count as requests of a guest`, async () => {
    await using hub = await recordedHub(kind)
    const rules = [{ label: '/api/', audience: '@guest', maxRequests: 3, duration: 3600 }]
    const key = await newApiKey(hub, 'alice', 'read')
    const boss = await hub.tokenOf('super')
    assert.equal(await statusOf(hub, boss, 'PATCH /api/settings', { rateLimits: { enabled: true, rules } }), 200)
    const wrong: number[] = []
    for (let at = 0; at < 5; at++) wrong.push(await statusOf(hub, `vdt_${String(at).repeat(50)}`))
    assert.deepEqual(wrong, [401, 401, 401, 429, 429])
    for (let at = 0; at < 5; at++) assert.equal(await statusOf(hub, key), 200)
  })
}
