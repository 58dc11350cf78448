import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { levelKind } from '../../src/alerts/judging/alert-kinds.ts'
import { databases } from '../databases.ts'
import { readVector, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { newSaved, send } from '../recorded-step.ts'

/** Cases that are similar to the recorded ones. The expected results follow the recorded hub's rules and databases. */

type RecordedRequest = { readonly as?: string; readonly method?: string; readonly path: string; readonly json?: Json }

async function answer(hub: RecordedHub, { as, method = 'GET', path, json }: RecordedRequest) {
  const step = { method, path, response: { status: 200 }, ...(as === undefined ? {} : { as }), ...(json === undefined ? {} : { json }) }
  const response = await send(hub, step, newSaved())
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  return {
    status: response.status,
    type,
    body: type.startsWith('application/json') ? (JSON.parse(text) as { readonly [key: string]: Json }) : {},
  } // an object
}

const found = async (hub: RecordedHub, collection: string, filter: string, as = 'super') => {
  const query = `perPage=200&sort=id&fields=id&filter=${encodeURIComponent(filter)}`
  const { status, body } = await answer(hub, { as, path: `/api/collections/${collection}/records?${query}` })
  assert.equal(status, 200, JSON.stringify(body))
  return (body['items'] as readonly { readonly id: string }[]).map(({ id }) => id) // a page
}

const { cases } = readVector('filters.json') as { readonly cases: readonly { readonly filter: string; readonly ids?: readonly string[] }[] } // the shape of the recording
const recorded = (filter: string): readonly string[] => cases.find((one) => one.filter === filter)?.ids ?? []

for (const kind of databases) {
  test(`${kind.name}: filters similar to the recorded ones return the records that the recorded hub's database returns`, async () => {
    await using hub = await recordedHub(kind)
    assert.deepEqual(await found(hub, 'systems', String.raw`name = 'line\nbreak'`), recorded(String.raw`name = "line\nbreak"`))
    assert.deepEqual(await found(hub, 'systems', String.raw`name = 'back\slash'`), recorded(String.raw`name = 'back\slash'`))
    // A number compared with a text column is the text 42.0, which sorts after 42 and before web-1.
    const above = recorded('name > 42')
    assert.deepEqual(await found(hub, 'systems', 'name >= 42'), above)
    const all = await found(hub, 'systems', "id != ''")
    const below = all.filter((id) => !above.includes(id))
    assert.deepEqual(below, ['sys000000000011', 'sys000000000013'])
    assert.deepEqual(await found(hub, 'systems', 'name < 42'), below)
    assert.deepEqual(await found(hub, 'systems', '42 >= name'), below)
    assert.deepEqual(await found(hub, 'alerts', "value:lower = '80'"), await found(hub, 'alerts', 'value = 80'))
    assert.deepEqual(await found(hub, 'alerts', "triggered:lower = '1'"), await found(hub, 'alerts', 'triggered = true'))
    assert.deepEqual(await found(hub, 'alerts', 'value:lower = 80'), [])
  })

  test(`${kind.name}: a forbidden name in a filter or a sort is refused with the name in the error`, async () => {
    await using hub = await recordedHub(kind)
    for (const [query, name] of [
      ['filter=@collection.users.id!=%27%27', '@collection.'],
      ['sort=@collection.users.id', '@collection.'],
      ['filter=@request.auth.id!=%27%27', '@request.'],
      ['filter=@request.auth.id=@collection.users.id', '@collection.'],
    ] as const) {
      const { status, body } = await answer(hub, { as: 'alice', path: `/api/collections/systems/records?${query}` })
      assert.partialDeepStrictEqual([status, body], [403, { data: {}, message: `Only superusers can filter by ${name}`, status: 403 }])
    }
  })

  test(`${kind.name}: a value that is no text in place of an email address is refused as an invalid body`, async () => {
    await using hub = await recordedHub(kind)
    const path = '/api/collections/users/request-password-reset'
    for (const email of [['alice@example.com'], [], { of: 'alice' }, 7, true]) {
      const { status, body } = await answer(hub, { method: 'POST', path, json: { email } })
      assert.partialDeepStrictEqual(
        [status, body],
        [400, { data: {}, message: 'An error occurred while loading the submitted data.', status: 400 }],
      )
    }
    assert.equal((await answer(hub, { method: 'POST', path, json: { email: null } })).status, 400)
  })
}

const [kind] = databases
assert.ok(kind)

for (const path of ['/api', '/api/', '/api/none', '/api/Health', '/api/beszel/nope', '/api/collections/systems/records/x/y'])
  test(`an unknown path below /api/ gets 404 as JSON: ${path}`, async () => {
    await using hub = await recordedHub(kind)
    for (const as of ['alice', undefined]) {
      const { status, type, body } = await answer(hub, { path, ...(as === undefined ? {} : { as }) })
      assert.deepEqual([status, type.split(';')[0]], [404, 'application/json'])
      assert.partialDeepStrictEqual(body, { data: {}, message: "The requested resource wasn't found.", status: 404 })
    }
  })

test('a threshold may be negative if its unit allows it', async () => {
  await using hub = await recordedHub(kind)
  const path = '/api/beszel/user-alerts'
  const set = async (alert: string, value: number) => {
    const json = { name: alert, value, min: 10, systems: ['sys000000000006'], overwrite: true }
    return (await answer(hub, { as: 'alice', method: 'POST', path, json })).status
  }
  assert.deepEqual([await set('Temperature', -18), await set('Temperature', -40), await set('CPU', -1)], [200, 200, 400])
  const stored = await hub.engine.store.loadWhere('alerts', { system: 'sys000000000006', name: 'Temperature' })
  assert.deepEqual(
    stored.map(({ value }) => value),
    [-40],
  )
  assert.equal(levelKind('Temperature')?.threshold.min, -40)
})
