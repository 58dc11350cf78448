import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { databases } from '../databases.ts'
import { call, type JsonBody } from '../mailing-hub.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const users = '/api/collections/users'
const systems = '/api/collections/systems/records'
const alice = dataset.aliases['alice'] ?? ''
const bob = dataset.aliases['bob'] ?? ''

type Entry = {
  readonly actorName: string
  readonly action: string
  readonly target: string
  readonly targetId: string
  readonly targetName: string
  readonly changes: { readonly [field: string]: readonly unknown[] }
}

async function audit(hub: RecordedHub, query = ''): Promise<JsonBody & { readonly items: readonly Entry[] }> {
  const { status, body } = await call(hub, `GET /api/vedette/audit${query}`, {}, { token: await hub.tokenOf('super') })
  assert.equal(status, 200)
  return body as JsonBody & { readonly items: readonly Entry[] } // the response of the route
}

for (const kind of databases) {
  test(`${kind.name}: the audit log records author and changes without secrets`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const own = await hub.tokenOf('alice')
    const better = { password: 'a better one', passwordConfirm: 'a better one' }
    const made = await call(hub, `POST ${systems}`, { name: 'made', host: 'h', users: [alice] }, { token: own })
    const id = String(made.body['id'])
    await call(hub, `PATCH ${systems}/${id}`, { name: 'renamed', port: '1234' }, { token: own })
    await call(hub, `DELETE ${systems}/${id}`, {}, { token: own })
    await call(hub, `PATCH ${users}/records/${bob}`, { role: 'readonly', ...better }, { token })
    await call(hub, 'PATCH /api/settings', { meta: { appName: 'Tower' }, smtp: { password: 'secret of the server' } }, { token })
    await call(hub, 'PATCH /api/collections/users', { otp: { enabled: true } }, { token })
    await call(hub, 'PATCH /api/vedette/settings/retention', { days: { '1m': 30 } }, { token })
    await call(hub, `POST ${users}/impersonate/${alice}`, {}, { token })
    await call(hub, 'GET /api/beszel/universal-token?enable=1&permanent=1&token=secret-of-agents', {}, { token: own })
    await call(hub, 'POST /api/account/password', { oldPassword: dataset.password, ...better }, { token: own })

    const { items, totalItems } = await audit(hub)
    const told = items
      .toReversed()
      .map(({ actorName, action, target, targetName, changes }) => [actorName, action, target, targetName, Object.keys(changes)])
    const [boss, she] = [dataset.superuser.email, 'alice@example.com']
    assert.deepEqual(
      told.map((entry) => entry.slice(0, 4)),
      [
        [she, 'create', 'systems', 'made'],
        [she, 'update', 'systems', 'renamed'],
        [she, 'delete', 'systems', 'renamed'],
        [boss, 'update', 'users', 'bob.builder@example.org'],
        [boss, 'update', 'settings', ''],
        [boss, 'update', 'sign-in', 'users'],
        [boss, 'update', 'retention', ''],
        [boss, 'impersonate', 'users', she],
        [she, 'enable for ever', 'universal_tokens', ''],
        [she, 'update', 'users', she],
      ],
    )
    assert.equal(totalItems, 10)
    assert.deepEqual(told[1]?.[4], ['name', 'port'])
    const demoted = items.find(({ targetId }) => targetId === bob)?.changes ?? {}
    assert.deepEqual(
      [demoted['role'], demoted['password']],
      [
        ['user', 'readonly'],
        ['***', '***'],
      ],
    )
    const text = JSON.stringify(items)
    for (const secret of ['secret of the server', 'secret-of-agents', 'argon2', 'a better one']) assert.ok(!text.includes(secret), secret)
  })

  test(`${kind.name}: failed changes are not recorded in the audit log, and its entries cannot be changed`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const { database } = hub.engine
    await call(hub, `PATCH ${users}/records/${bob}`, { email: 'alice@example.com' }, { token })
    await call(hub, `PATCH ${users}/records/${bob}`, { name: 'x' }, { token: await hub.tokenOf('rita') })
    const batch = [
      { method: 'PATCH', url: `/api/collections/users/records/${bob}`, body: { name: 'never' } },
      { method: 'DELETE', url: '/api/collections/users/records/nobody' },
    ]
    assert.equal((await call(hub, 'POST /api/batch', { requests: batch }, { token })).status, 400)
    assert.deepEqual((await audit(hub)).items, [])
    await call(hub, `PATCH ${users}/records/${bob}`, { name: 'Bob' }, { token })
    for (const statement of [sql`update audit_log set action = ''`, sql`delete from audit_log`])
      await assert.rejects(
        database.write((unit) => statement.execute(unit.sql)),
        /only added to/,
      )
    assert.equal((await audit(hub)).items.length, 1)
  })

  test(`${kind.name}: the audit log is listed by page, author and target`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    for (const name of ['one', 'two', 'three']) await call(hub, `PATCH ${users}/records/${bob}`, { name }, { token })
    await call(hub, `PATCH ${systems}/sys000000000006`, { name: 'other' }, { token: await hub.tokenOf('alice') })
    const page = await audit(hub, '?perPage=2&page=2&target=users')
    assert.deepEqual([page['totalItems'], page['totalPages'], page.items.map(({ changes }) => changes['name'])], [3, 2, [['', 'one']]])
    assert.equal((await audit(hub, `?actor=${alice}`)).items.length, 1)
    assert.equal((await audit(hub, `?targetId=${bob}`)).items.length, 3)
    assert.equal((await audit(hub, '?page=0&perPage=x')).items.length, 4)
  })
}
