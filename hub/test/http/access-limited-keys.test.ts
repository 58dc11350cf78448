import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeys } from '../../src/accounts/api-keys/api-keys.ts'
import type { SourcedTag, TagSource } from '../../src/records/model/tag.ts'
import { databases, silentLog } from '../databases.ts'
import { dataset } from '../recorded-hub.ts'
import { callers, idOf, SYSTEM, TAG, taggedSystem, type Caller } from '../tagged-system.ts'

type Scene = Awaited<ReturnType<typeof taggedSystem>>

const tagged = (...sources: readonly TagSource[]): readonly SourcedTag[] => [
  { tag: TAG, sources },
  { tag: 'said', sources: ['agent'] },
]
const records = (collection: string) => `/api/collections/${collection}/records`
const owners = ['owner', 'readonlyUser', 'viewer', 'changer', 'other', 'admin'] as const satisfies readonly Caller[]

/** Requests that show the system, each for a key of the scope `read`. */
const reads = [
  ...['systems', 'containers', 'system_details', 'system_stats', 'container_stats', 'systemd_services', 'smart_devices'].map(
    (name) => `GET ${records(name)}?perPage=500`,
  ),
  `GET ${records('systems')}?filter=${encodeURIComponent(`id = "${SYSTEM}"`)}`,
  `GET ${records('systems')}/${SYSTEM}`,
  `GET ${records('system_details')}/${SYSTEM}`,
  `GET ${records('smart_devices')}/drive0000000001`,
  `GET ${records('containers')}?expand=system&fields=expand.system.id`,
]
const routes = [
  `GET /api/history/${SYSTEM}`,
  `GET /api/systems/${SYSTEM}/events`,
  `GET /api/vedette/alerts/preview?system=${SYSTEM}&name=CPU&value=80&min=10`,
]

async function keyOf({ hub }: Scene, caller: Caller, scope: 'read' | 'write', tags: readonly string[]): Promise<string> {
  const owner = (await hub.engine.store.load('users', idOf(caller))) ?? assert.fail(caller)
  const keys = apiKeys({ ...hub.engine, log: silentLog })
  return (await keys.create({ ...owner, role: 'user' }, { name: 'k', scope, tags, expiresMs: undefined })).key
}

type Reach = { readonly key: string; readonly may: boolean; readonly what: string }

async function assertReach(scene: Scene, { key, may, what }: Reach): Promise<void> {
  for (const call of [...reads, ...routes, 'GET /metrics']) {
    const { status, text } = await scene.send(`Bearer ${key}`, call)
    const shows = text.includes(SYSTEM) || text.includes('"tagged"')
    const isAllowed = status === 200 && (shows || routes.includes(call))
    assert.equal(isAllowed, may, `${what}: ${call}: ${status}`)
    // Nothing of other systems, which all have ids of this form, not even for an admin.
    assert.ok(!text.includes('"sys0000'), `${what}: ${call}: ${text.slice(0, 300)}`)
  }
}

for (const kind of databases) {
  test(
    `${kind.name}: a key limited to tags reaches only systems with one of them from a trusted source`,
    { timeout: 120_000 },
    async () => {
      await using scene = await taggedSystem(kind)
      for (const caller of owners) {
        const keys = [
          { tags: [TAG, 'x'], reaches: true, key: await keyOf(scene, caller, 'read', [TAG, 'x']) },
          { tags: ['said', 'env=PROD', 'env=%'], reaches: false, key: await keyOf(scene, caller, 'read', ['said', 'env=PROD', 'env=%']) },
        ]
        for (const sources of [['admin'], ['agent', 'person']] as const) {
          await scene.setTags(tagged(...sources))
          for (const { tags, reaches, key } of keys) {
            const { byTag } = callers[caller]
            const may = reaches && sources[0] === 'admin' && byTag !== 'none'
            const what = `${caller} with ${tags.join(' ')}, tag of ${sources.join('+')}`
            await assertReach(scene, { key, may, what })
          }
        }
      }
    },
  )

  test(`${kind.name}: a limited key of an admin learns nothing about other systems, and changes nothing of them`, async () => {
    await using scene = await taggedSystem(kind)
    const { store, database } = scene.hub.engine
    await scene.setTags(tagged('admin'))
    const admin = idOf('admin')
    await database.write((unit) => store.update(unit, 'systems', SYSTEM, { users: [admin, 'usralice0000001'] }))
    const read = `Bearer ${await keyOf(scene, 'admin', 'read', [TAG])}`
    const write = `Bearer ${await keyOf(scene, 'admin', 'write', [TAG])}`
    const other = 'sys000000000005'
    const hidden = (await store.load('systems', other)) ?? assert.fail()
    for (const filter of [
      `users.systems_via_users.id = "${other}"`,
      `users.systems_via_users.id ?= "${other}"`,
      `users.email ~ "alice"`,
      `accessTags = "${TAG}"`,
      `alerts_via_system.user.systems_via_users.id ?= "${other}"`,
      `@collection.systems.id ?= "${other}"`,
      `@request.keyTags ~ "env"`,
    ])
      for (const query of [`filter=${encodeURIComponent(filter)}`, `sort=${encodeURIComponent(filter.split(' ')[0] ?? '')}`]) {
        const { status, text } = await scene.send(read, `GET ${records('systems')}?${query}`)
        const isSort = query.startsWith('sort')
        assert.ok(status === 400 || status === 403 || isSort || !text.includes(SYSTEM), `${query}: ${status} ${text.slice(0, 200)}`)
        assert.ok(!text.includes(other), query)
      }
    for (const [call, json] of [
      [`GET ${records('systems')}/${other}`],
      [`PATCH ${records('systems')}/${other}`, { name: 'x' }],
      [`DELETE ${records('systems')}/${other}`],
      [`POST ${records('systems')}`, { name: 'x', host: 'h', port: '1', users: [admin] }],
      [`POST ${records('alerts')}`, { user: admin, system: other, name: 'CPU', value: 80, min: 1 }],
      [`POST ${records('quiet_hours')}`, { user: admin, type: 'daily', start: '2024-01-01', end: '2024-01-02' }],
      // The key would lose its own system, and with it the proof of what it may change.
      [`PATCH ${records('systems')}/${SYSTEM}`, { 'tags-': TAG }],
    ] as const) {
      const { status, text } = await scene.send(write, call, json)
      assert.ok(status === 404 || status === 400, `${call}: ${status} ${text.slice(0, 200)}`)
    }
    assert.deepEqual(await store.load('systems', other), hidden)
    const alert = { user: admin, name: 'CPU', value: 80, min: 1 }
    await database.write(async (unit) => {
      for (const system of [SYSTEM, other]) await store.insert(unit, 'alerts', { ...alert, system })
    })
    const body = { name: 'CPU', value: 90, min: 2, systems: [SYSTEM, other], overwrite: true }
    await scene.send(write, 'POST /api/beszel/user-alerts', body)
    const values = async () =>
      (await store.loadWhere('alerts', { user: admin })).map(({ system, value }) => `${String(system)} ${String(value)}`).toSorted()
    assert.deepEqual(await values(), [`${other} 80`, `${SYSTEM} 90`])
    await scene.send(write, 'DELETE /api/beszel/user-alerts', { name: 'CPU', systems: [SYSTEM, other] })
    assert.deepEqual(await values(), [`${other} 80`])
    assert.equal((await scene.send(write, `PATCH ${records('systems')}/${SYSTEM}`, { name: 'renamed', 'tags+': 'further' })).status, 200)
    const metrics = await scene.send(read, 'GET /metrics')
    assert.ok(metrics.text.includes('system="renamed"') && !metrics.text.includes('vedette_hub_uptime_seconds'), metrics.text.slice(0, 300))
  })

  test(`${kind.name}: a key is created and listed with its tags, and bad tags are refused`, async () => {
    await using scene = await taggedSystem(kind)
    // Only a session of the user's own creates keys.
    const signIn = { identity: 'alice@example.com', password: dataset.password }
    const { text } = await scene.send('', 'POST /api/collections/users/auth-with-password', signIn)
    const { token } = JSON.parse(text) as { readonly token: string }
    const create = (json: Parameters<Scene['ask']>[2]) => scene.send(token, 'POST /api/account/api-keys', json)
    for (const [json, status] of [
      [{ name: 'k', scope: 'read', tags: 'env=prod' }, 400],
      [{ name: 'k', scope: 'read', tags: ['a,b'] }, 400],
      [{ name: 'k', scope: 'read', tags: [''] }, 400],
      [{ name: 'k', scope: 'read', tags: [7] }, 400],
      [{ name: 'k', scope: 'read', tags: Array.from({ length: 51 }, (_, at) => `t${at}`) }, 400],
      // The systems that this key enrols get its tags; they are no limit.
      [{ name: 'enrols', scope: 'ingest', tags: ['a'] }, 200],
      [{ name: 'k', scope: 'ingest', tags: [] }, 200],
      [{ name: 'all', scope: 'read' }, 200],
      [{ name: 'some', scope: 'read', tags: [' b ', 'a', 'b'] }, 200],
    ] as const)
      assert.equal((await create(json)).status, status, JSON.stringify(json).slice(0, 80))
    const { items } = JSON.parse((await scene.send(token, 'GET /api/account/api-keys')).text) as {
      items: readonly { name: string; tags: unknown }[]
    }
    const listed = items.map(({ name, tags }) => `${name} ${JSON.stringify(tags)}`).toSorted()
    assert.deepEqual(listed, ['all []', 'enrols ["a"]', 'k []', 'some ["a","b"]'])
    const stored = await scene.hub.engine.database.kysely.selectFrom('api_keys').select(['name', 'scope']).execute()
    assert.equal(stored.find(({ name }) => name === 'enrols')?.scope, 'ingest')
    // An older hub, which knows no limits, does not know this scope either.
    assert.equal(stored.find(({ name }) => name === 'some')?.scope, 'read by tags')
  })
}
