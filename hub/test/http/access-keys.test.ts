import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeys } from '../../src/accounts/api-keys/api-keys.ts'
import { accessRequest, type AccessRequest } from '../access-requests.ts'
import { hubRoutes } from '../../src/startup/hub-routes.ts'
import { keyScopes, type KeyScope } from '../../src/records/model/key-scope.ts'
import type { RouteDeclaration } from '../../src/http/routing/define-route.ts'
import { databases, silentLog } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const owners = ['rita', 'bob', 'alice', 'boss'] as const
type Owner = (typeof owners)[number]

/** The routes that API keys may call. Every other route refuses all keys with 403. */
const open: Readonly<Record<string, 'read' | 'write'>> = {
  'GET /api/collections/:collection/records': 'read',
  'GET /api/collections/:collection/records/:id': 'read',
  'POST /api/collections/:collection/records': 'write',
  'PATCH /api/collections/:collection/records/:id': 'write',
  'DELETE /api/collections/:collection/records/:id': 'write',
  'POST /api/batch': 'write',
  'GET /api/history/:system': 'read',
  'GET /api/systems/:system/events': 'read',
  'GET /api/vedette/incidents': 'read',
  'GET /api/vedette/incidents/noisy': 'read',
  'POST /api/vedette/incidents/:incident/acknowledge': 'write',
  'GET /api/vedette/systems/:system/alert-rules': 'read',
  'GET /api/vedette/systems/:system/upstreams': 'read',
  'GET /api/vedette/alerts/preview': 'read',
  'POST /api/beszel/user-alerts': 'write',
  'DELETE /api/beszel/user-alerts': 'write',
  'GET /api/beszel/info': 'read',
  'GET /api/vedette/openapi.json': 'read',
  'GET /metrics': 'read',
}

const covers: Readonly<Record<KeyScope, readonly string[]>> = { read: ['read'], write: ['read', 'write'], ingest: [] }

/** The keys of a user with each scope. A read-only user created them before the change of role, an unverified one after verification. */
async function keysOf(hub: RecordedHub, who: Owner): Promise<Readonly<Record<KeyScope, string>>> {
  const keys = apiKeys({ ...hub.engine, log: silentLog })
  const id = who === 'boss' ? 'boss00000000001' : (dataset.aliases[who] ?? '')
  const { database, store } = hub.engine
  const owner = (await database.write((unit) => store.update(unit, 'users', id, { verified: true }))) ?? assert.fail(who)
  const make = async (scope: KeyScope) => (await keys.create({ ...owner, role: 'user' }, { name: scope, scope, expiresMs: undefined })).key
  return { read: await make('read'), write: await make('write'), ingest: await make('ingest') }
}

async function statusOf(hub: RecordedHub, { method, path, body }: AccessRequest, token: string): Promise<number> {
  const headers = { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const request = new Request(`http://hub${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const response = await hub.app.fetch(request, { incoming: { socket: { remoteAddress: '127.0.0.1' } } })
  await response.body?.cancel()
  return response.status
}

const readable = [
  'systems',
  'system_details',
  'system_stats',
  'container_stats',
  'containers',
  'systemd_services',
  'smart_devices',
  'alerts',
  'alert_policies',
  'alerts_history',
  'quiet_hours',
  'system_notes',
  'system_fields',
]
const writable = ['systems', 'alerts', 'alert_policies', 'quiet_hours', 'smart_devices', 'system_notes']

function mayUse(scope: KeyScope, collection: string, isRead: boolean): boolean {
  return isRead ? scope !== 'ingest' && readable.includes(collection) : scope === 'write' && writable.includes(collection)
}

/** A request of each method for a collection and one of its records. */
function requestsOf(collection: string, id: string): readonly AccessRequest[] {
  const path = `/api/collections/${collection}/records`
  const one = `${path}/${id}`
  return [
    { method: 'GET', path },
    { method: 'GET', path: one },
    { method: 'POST', path, body: {} },
    { method: 'PATCH', path: one, body: {} },
    { method: 'DELETE', path: one },
  ]
}

const nameOf = ({ method, path }: RouteDeclaration): string => `${method} ${path}`

test('the routes open to API keys are exactly those of the table', () => {
  const declared = hubRoutes.flatMap((route) => (route.keys === undefined ? [] : [[nameOf(route), route.keys] as const]))
  assert.deepEqual(Object.fromEntries(declared), open)
})

for (const kind of databases) {
  test(`${kind.name}: on every route a key of each scope and role is refused, or has exactly its owner's access`, async (t) => {
    await using hub = await recordedHub(kind)
    const keys = new Map<Owner, Readonly<Record<KeyScope, string>>>()
    for (const who of owners) keys.set(who, await keysOf(hub, who))
    for (const route of hubRoutes) {
      // Files of the agent are served to everyone, and no header of the request is read.
      if (route.path.startsWith('/agent/')) continue
      await t.test(nameOf(route), async () => {
        const request = accessRequest(route)
        const use = open[nameOf(route)]
        for (const who of owners) {
          // Before the owner's own request, which may change what the key would reach.
          for (const scope of keyScopes) {
            const allowed = use !== undefined && covers[scope].includes(use)
            const status = await statusOf(hub, request, keys.get(who)?.[scope] ?? '')
            if (!allowed) assert.equal(status, route.access === 'API key' ? 401 : 403, `${scope} key of ${who}`)
            else if (route.access === 'API key') assert.equal(status, 200, `${scope} key of ${who}`)
            else assert.ok(await mayGet(status, request, who), `${scope} key of ${who}: ${status}`)
          }
        }
      })
    }

    /** True when the key's status is that of its owner's session. A record that the key has just deleted is 404 for its owner. */
    async function mayGet(status: number, request: AccessRequest, who: Owner): Promise<boolean> {
      const own = await statusOf(hub, request, await hub.tokenOf(who))
      return own === status || (request.method === 'DELETE' && status === 204 && own === 404)
    }
  })

  test(`${kind.name}: of every collection a key reaches only the open ones, with its owner's access to each record`, async (t) => {
    await using hub = await recordedHub(kind)
    const keys = new Map<Owner, Readonly<Record<KeyScope, string>>>()
    for (const who of owners) keys.set(who, await keysOf(hub, who))
    for (const collection of hub.engine.collections.all)
      await t.test(collection.name, async () => {
        const [record] = collection.storage === 'table' ? await hub.engine.store.loadWhere(collection.name, {}) : []
        const requests = requestsOf(collection.name, record?.id ?? 'none00000000000')
        for (const who of owners)
          for (const scope of keyScopes) {
            for (const request of requests) {
              const isAllowed = mayUse(scope, collection.name, request.method === 'GET')
              await check(request, { who, scope, isAllowed })
            }
          }
      })

    async function check(request: AccessRequest, { who, scope, isAllowed }: { who: Owner; scope: KeyScope; isAllowed: boolean }) {
      const status = await statusOf(hub, request, keys.get(who)?.[scope] ?? '')
      const what = `${request.method} with the ${scope} key of ${who}: ${status}`
      if (!isAllowed) return assert.equal(status, 403, what)
      const own = await statusOf(hub, request, await hub.tokenOf(who))
      // The owner does not find a record that the key has just deleted.
      assert.ok(own === status || (status === 204 && own === 404), `${what}, as owner ${own}`)
    }
  })

  test(`${kind.name}: a key learns nothing of a closed collection by expand, filter, sort or batch, not even an admin's`, async () => {
    await using hub = await recordedHub(kind)
    const path = '/api/collections/systems/records'
    for (const who of ['alice', 'boss'] as const) {
      const keys = await keysOf(hub, who)
      const read = async (query: string) => {
        const response = await hub.app.request(`${path}?${query}`, { headers: { authorization: keys.read } })
        return { status: response.status, text: await response.text() }
      }
      assert.equal((await read('')).status, 200)
      const expanded = await read('expand=users,fingerprints_via_system,alerts_via_system.user')
      assert.equal(expanded.status, 200)
      for (const secret of ['"token"', '"email"', 'fingerprints', '"role"']) assert.ok(!expanded.text.includes(secret), secret)
      for (const filter of [
        'users.email~"a"',
        'users.tokenKey~"a"',
        'fingerprints_via_system.token~"a"',
        '@collection.users.email~"a"',
        '@collection.fingerprints.token~"a"',
        '@collection._superusers.email~"a"',
        '@request.auth.password~"$2"',
        '@request.auth.email~"a"',
      ]) {
        const { status } = await read(`filter=${encodeURIComponent(filter)}`)
        assert.ok(status === 400 || status === 403, `${who} ${filter}: ${status}`)
        const sort = filter.split('~')[0] ?? ''
        const sorted = await read(`sort=${encodeURIComponent(sort)}`)
        assert.ok(sorted.status === 400 || sorted.status === 403, `${who} sort ${sort}: ${sorted.status}`)
      }
      const batch = (key: string, collection: string) =>
        statusOf(
          hub,
          {
            method: 'POST',
            path: '/api/batch',
            body: { requests: [{ method: 'POST', url: `/api/collections/${collection}/records`, body: {} }] },
          },
          key,
        )
      const boss = await hub.tokenOf('super')
      assert.equal(await statusOf(hub, { method: 'PATCH', path: '/api/settings', body: { batch: { enabled: true } } }, boss), 200)
      assert.equal(await batch(keys.read, 'systems'), 403)
      for (const collection of ['users', 'fingerprints', 'universal_tokens', 'user_settings'])
        assert.equal(await batch(keys.write, collection), 400, collection)
    }
    const tokens = await hub.engine.store.loadWhere('universal_tokens', {})
    assert.equal(tokens.length, dataset.collections['universal_tokens']?.length)
  })

  test(`${kind.name}: a key cannot subscribe to events`, async () => {
    await using hub = await recordedHub(kind)
    const keys = await keysOf(hub, 'boss')
    for (const scope of keyScopes)
      for (const method of ['GET', 'POST'])
        assert.equal(await statusOf(hub, { method, path: '/api/realtime' }, keys[scope]), 403, `${method} ${scope}`)
  })
}
