import assert from 'node:assert/strict'
import { rmSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startHub } from '../../../src/hub.ts'
import type { ForeignHub, RecordsPlan } from '../../../src/operations/transfer/foreign-hub.ts'
import { planRecords } from '../../../src/operations/transfer/records/plan-records.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../../src/platform/events/event-bus.ts'
import { openSecrets } from '../../../src/platform/secrets/open-secrets.ts'
import { collections } from '../../../src/records/collections/collections.ts'
import { recordTableStore } from '../../../src/records/engine/record-table-store.ts'
import { parseHubConfig } from '../../../src/startup/config.ts'
import { databases, silentLog, type TestDatabaseKind } from '../../databases.ts'
import { roundsOf } from '../../longer-runs.ts'
import { makeMemoryFolder } from '../../memory-folder.ts'
import { foreignHub, generationsOn, PASSWORD, reasonsOf } from './records-scene.ts'

const ADMIN = 'admin@example.com'

/** Imports into a new data folder and starts the whole hub on it. */
async function importedHub(kind: TestDatabaseKind, foreign: ForeignHub) {
  const stack = new AsyncDisposableStack()
  const { at } = stack.use(await kind.ready())
  const directory = 'directory' in at ? at.directory : makeMemoryFolder('vedette-imported-')
  if ('url' in at) stack.defer(() => rmSync(directory, { recursive: true, force: true }))
  const plan = await importInto(foreign, directory, at)
  const webRoot = join(directory, 'web')
  mkdirSync(webRoot)
  writeFileSync(join(webRoot, 'index.html'), '<html></html>')
  const place = 'url' in at ? [`--database=${at.url}`] : []
  const parsed = parseHubConfig(['--listen=127.0.0.1:0', `--data=${directory}`, `--web-root=${webRoot}`, ...place], {})
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const hub = stack.adopt(await startHub(parsed.config, () => silentLog), ({ close }) => close())
  async function call(token: string, method: string, path: string, body?: object) {
    const response = await fetch(`${hub.address}/api/collections/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as { readonly [field: string]: unknown } } // the hub responds with objects
  }
  return {
    plan,
    call,
    async signIn(identity: string): Promise<string> {
      const { body } = await call('', 'POST', 'users/auth-with-password', { identity, password: PASSWORD })
      return String(body['token'])
    },
    async list(token: string, collection: string) {
      const { body } = await call(token, 'GET', `${collection}/records?perPage=500&sort=id`)
      return body['items'] as readonly { readonly [field: string]: unknown }[] // a list of records
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function importInto(foreign: ForeignHub, directory: string, at: Parameters<typeof openDatabase>[0]['at']): Promise<RecordsPlan> {
  const database = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog })
  try {
    const secrets = await openSecrets({ directory, configured: undefined, database })
    const records = recordTableStore({ database, collections, secrets, clock: systemClock })
    const plan = await planRecords(foreign, { database, records, secrets, clock: systemClock }, { admins: [ADMIN] })
    await plan.write(() => {}, new AbortController().signal)
    return plan
  } finally {
    await database.close()
  }
}

/** Columns that the running hub itself changes, or that responses never contain. */
const unlike: Readonly<Record<string, readonly string[]>> = {
  // A password with an outdated hash gets a new one at the sign-in.
  users: ['password', 'tokenKey', 'updated'],
  // The hub polls the systems from its start.
  systems: ['status', 'info', 'updated'],
}

const compared = [
  'users',
  'systems',
  'fingerprints',
  'alerts',
  'alerts_history',
  'user_settings',
  'quiet_hours',
  'universal_tokens',
  'containers',
  'systemd_services',
  'smart_devices',
  'system_details',
]

/** Rows of the recorded database as the API of the hub shows them. */
function expectedRows({ database }: ForeignHub, collection: string) {
  if (database.prepare('select 1 from sqlite_schema where name = ?').all(collection).length === 0) return []
  const flags = ['verified', 'emailVisibility', 'triggered', 'podman']
  return database
    .prepare(`select * from ${collection} order by id`)
    .all()
    .map((row) =>
      Object.entries(row)
        .filter(([name]) => unlike[collection]?.includes(name) !== true)
        .map(([name, value]) => {
          const text = typeof value === 'string' ? value.replace(/^(\S+ \d\d:\d\d:\d\d\.\d{3})\d+ \+0000 UTC$/, '$1Z') : value
          if (flags.includes(name)) return [name, value === 1]
          return [name, ['users', 'settings', 'attributes'].includes(name) ? JSON.parse(String(text)) : text]
        }),
    )
}

for (const kind of databases)
  for (const generation of generationsOn(kind))
    test(`${kind.name}: a hub started on the import of ${generation} shows every value through its API`, async () => {
      using foreign = foreignHub(generation)
      await using hub = await importedHub(kind, foreign)
      const admin = await hub.signIn(ADMIN)
      for (const collection of compared) {
        const rows = await hub.list(admin, collection)
        const wanted = expectedRows(foreign, collection)
        const columns = wanted[0]?.map(([name]) => String(name)) ?? []
        assert.deepEqual(
          rows.map((row) => columns.map((name) => [name, row[name]])),
          wanted,
          collection,
        )
      }
      assert.deepEqual(Object.keys(reasonsOf(hub.plan, 'systems')), [])
      for (const { what, changed, leftOut } of hub.plan.lines)
        if (what !== 'systems' && what !== 'superusers') assert.deepEqual([changed, leftOut], [[], []], what)
    })

for (const kind of databases.slice(0, roundsOf({ short: 1, long: 2, soak: 2 })))
  test(`${kind.name}: people sign in with their passwords and see and change what they could there`, async () => {
    using foreign = foreignHub('0.18.8-head')
    await using hub = await importedHub(kind, foreign)
    const [bea, cem] = [await hub.signIn('bea@example.com'), await hub.signIn('cem@example.com')]
    assert.deepEqual(
      (await hub.list(bea, 'systems')).map(({ name }) => name),
      ['system-0'],
    )
    assert.deepEqual(
      (await hub.list(cem, 'systems')).map(({ name }) => name),
      ['system-1'],
    )
    assert.deepEqual(await hub.list(cem, 'fingerprints'), [])
    assert.equal((await hub.call(cem, 'PATCH', 'systems/records/bl2cra9wy4068lq', { name: 'mine' })).status, 404)
    assert.equal((await hub.call(bea, 'PATCH', 'systems/records/f3kctrf6xf1hxgh', { name: 'web' })).status, 200)
    assert.equal((await hub.call(bea, 'GET', '_superusers/records')).status, 403)
  })
