import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

type Answer = { readonly status: number; readonly body: { readonly [field: string]: Json } }

async function call(hub: RecordedHub, token: string, request: string, body?: Json) {
  const [method = '', path = ''] = request.split(' ')
  const init = { method, headers: { authorization: token, 'content-type': 'application/json' } }
  const answer = await hub.app.fetch(
    new Request(`http://hub${path}`, { ...init, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  )
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) } as Answer // the response is an object here
}

const { email, password } = dataset.superuser
const oneself = { username: 'boss', email, password, passwordConfirm: password, role: 'user', verified: false }
const MAKE = 'POST /api/collections/users/records'

for (const kind of databases) {
  test(`${kind.name}: an admin of the oldest generation who creates their own user account keeps one unchanged account`, async () => {
    await using hub = await recordedHub(kind)
    const { token, admin } = (await call(hub, '', 'POST /api/admins/auth-with-password', { identity: email, password })).body
    const before = await hub.engine.store.loadWhere('users', { email })
    const refused = await call(hub, String(token), MAKE, { ...oneself, password: 'not my password', passwordConfirm: 'not my password' })
    assert.deepEqual([refused.status, Object.keys(refused.body['data'] ?? {})], [400, ['email']])
    for (const who of ['super', 'boss']) assert.equal((await call(hub, await hub.tokenOf(who), MAKE, oneself)).status, 400, who)
    assert.equal((await call(hub, String(token), MAKE, { ...oneself, email: 'alice@example.com' })).status, 400)
    assert.deepEqual(await hub.engine.store.loadWhere('users', { email }), before)
    const { status, body } = await call(hub, String(token), MAKE, oneself)
    const { id, username, role, verified } = body
    assert.deepEqual([status, username, role, verified], [200, 'boss', 'admin', true])
    assert.deepEqual({ id }, { id: (admin as { id: string }).id }) // the response of a sign-in
    const identity = await call(hub, '', 'POST /api/collections/users/auth-with-password', { identity: email, password })
    assert.equal(identity.status, 200)
  })

  test(`${kind.name}: an alert has one history row while it is triggered, however it ends`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('alice')
    const alert = { user: dataset.aliases['alice'] ?? '', system: 'sys000000000006', value: 70 }
    const history = async (id: Json | undefined) =>
      (await hub.engine.store.loadWhere('alerts_history', { alert_id: String(id) })).map(({ resolved, value }) => [resolved !== '', value])
    const add = async (name: string, triggered: boolean) =>
      (await call(hub, token, 'POST /api/collections/alerts/records', { ...alert, name, triggered })).body['id']
    const set = (id: Json | undefined, body: Json) => call(hub, token, `PATCH /api/collections/alerts/records/${String(id)}`, body)

    const cpu = await add('CPU', true)
    assert.deepEqual(await history(cpu), [[false, 70]])
    await set(cpu, { value: 71 })
    await set(cpu, { triggered: true })
    assert.deepEqual(await history(cpu), [[false, 70]])
    await set(cpu, { triggered: false })
    await set(cpu, { triggered: false })
    assert.deepEqual(await history(cpu), [[true, 70]])
    await set(cpu, { triggered: true })
    assert.deepEqual((await history(cpu)).toSorted(), [
      [false, 71],
      [true, 70],
    ])
    await call(hub, token, `DELETE /api/collections/alerts/records/${String(cpu)}`)
    assert.deepEqual((await history(cpu)).toSorted(), [
      [true, 70],
      [true, 71],
    ])

    const memory = await add('Memory', true)
    await call(hub, token, 'DELETE /api/beszel/user-alerts', { name: 'Memory', systems: ['sys000000000006'] })
    assert.deepEqual(await history(memory), [[true, 70]])
    const long = { name: 'x'.repeat(101), value: 1, systems: ['sys000000000006'] }
    assert.equal((await call(hub, token, 'POST /api/beszel/user-alerts', long)).status, 400)
    const disk = await add('Disk', false)
    assert.deepEqual(await history(disk), [])
  })

  test(`${kind.name}: an alert on a part of a system requires its target, and does not affect alerts of older clients`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('alice')
    const systems = ['sys000000000006']
    const set = async (body: Json) => call(hub, token, 'POST /api/beszel/user-alerts', body)
    const stored = async () =>
      (await hub.engine.store.loadWhere('alerts', { system: 'sys000000000006' })).map(({ name, target, value }) => [name, target, value])
    const before = (await stored()).length
    for (const target of ['data', 'photos', 'data']) await set({ name: 'Filesystem', target, value: 70, min: 5, systems, overwrite: true })
    await set({ name: 'Disk', value: 80, min: 5, systems })
    assert.deepEqual((await stored()).slice(before), [
      ['Filesystem', 'data', 70],
      ['Filesystem', 'photos', 70],
      ['Disk', '', 80],
    ])
    const wrong = [
      { name: 'Filesystem', value: 70, systems },
      { name: 'Disk', target: 'data', value: 70, systems },
      { name: 'Filesystem', target: 7, value: 70, systems },
      { name: 'Filesystem', target: 'x'.repeat(201), value: 70, systems },
    ]
    for (const body of wrong) assert.equal((await set(body)).status, 400, JSON.stringify(body))
    const record = { user: dataset.aliases['alice'] ?? '', system: 'sys000000000006', name: 'Container', value: 0, min: 5 }
    const refused = await call(hub, token, 'POST /api/collections/alerts/records', record)
    assert.deepEqual(
      [refused.status, refused.body['data']],
      [400, { target: { code: 'validation_required', message: 'Cannot be blank.' } }],
    )
    const twice = { ...record, name: 'Filesystem', target: 'data' }
    assert.equal((await call(hub, token, 'POST /api/collections/alerts/records', twice)).status, 400)
    await call(hub, token, 'DELETE /api/beszel/user-alerts', { name: 'Disk', systems })
    await call(hub, token, 'DELETE /api/beszel/user-alerts', { name: 'Filesystem', target: 'data', systems })
    assert.deepEqual((await stored()).slice(before), [['Filesystem', 'photos', 70]])
    const listed = await call(hub, token, 'GET /api/collections/alerts/records?perPage=100')
    const shown = (listed.body['items'] as readonly { readonly name: string; readonly target?: string }[]) // a list page
      .filter((alert) => 'target' in alert)
      .map(({ name, target }) => [name, target])
    assert.deepEqual(shown, [['Filesystem', 'photos']])
  })

  test(`${kind.name}: the Python client gets an empty list of providers, which it can iterate`, async () => {
    await using hub = await recordedHub(kind)
    const methods = async (agent: string) => {
      const request = new Request('http://hub/api/collections/users/auth-methods', { headers: { 'user-agent': agent } })
      return ((await (await hub.app.fetch(request)).json()) as Answer['body'])['authProviders'] // an object
    }
    assert.deepEqual(await methods('python-httpx/0.28.1'), [])
    assert.equal(await methods('Mozilla/5.0'), null)
  })
}
