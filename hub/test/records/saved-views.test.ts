import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_VIEWS } from '../../src/records/collections/saved-views.ts'
import { databases } from '../databases.ts'
import { newApiKey } from '../issued-keys.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const PATH = '/api/collections/saved_views/records'
type View = { readonly id: string; readonly name: string }
type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

async function request(hub: RecordedHub, authorization: string, [method, path]: readonly [string, string], body?: object): Promise<Answer> {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await hub.app.request(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

const idOf = (who: string): string => dataset.aliases[who] ?? assert.fail(who)
const viewOf = (who: string, name: string, shared = false) => ({ user: idOf(who), name, shared, search: 'filter=tag%3Aprod&group=tag' })

const as = (hub: RecordedHub, who: string) => ({
  save: async (view: object) => request(hub, await hub.tokenOf(who), ['POST', PATH], view),
  change: async (id: unknown, change: object) => request(hub, await hub.tokenOf(who), ['PATCH', `${PATH}/${String(id)}`], change),
  remove: async (id: unknown) => (await request(hub, await hub.tokenOf(who), ['DELETE', `${PATH}/${String(id)}`])).status,
  open: async (id: unknown) => (await request(hub, await hub.tokenOf(who), ['GET', `${PATH}/${String(id)}`])).status,
  names: async () => {
    const { body } = await request(hub, await hub.tokenOf(who), ['GET', `${PATH}?sort=name`])
    return (body['items'] as readonly View[]).map(({ name }) => name)
  },
})

for (const kind of databases) {
  test(`${kind.name}: saved views`, async (t) => {
    await using hub = await recordedHub(kind)
    await t.test(`a shared view is read by everybody who is signed in, and changed by its owner and admins`, async () => {
      const [alice, rita, bob, admin] = [as(hub, 'alice'), as(hub, 'rita'), as(hub, 'bob'), as(hub, 'super')]
      const own = await alice.save(viewOf('alice', 'own'))
      const shared = await alice.save(viewOf('alice', 'shared', true))
      assert.deepEqual([own.status, shared.status], [200, 200])
      assert.deepEqual([await alice.names(), await rita.names(), await bob.names()], [['own', 'shared'], ['shared'], ['shared']])
      assert.deepEqual([await bob.open(own.body['id']), await bob.open(shared.body['id'])], [404, 200])
      for (const other of [rita, bob]) {
        assert.equal((await other.change(shared.body['id'], { name: 'taken' })).status, 404)
        assert.equal(await other.remove(shared.body['id']), 404)
        assert.equal((await other.change(own.body['id'], { shared: true })).status, 404)
      }
      const guest = await request(hub, '', ['GET', PATH])
      assert.deepEqual([guest.status, guest.body['items']], [200, []])
      assert.equal((await request(hub, '', ['POST', PATH], viewOf('alice', 'by a guest'))).status, 400)
      assert.equal((await admin.change(shared.body['id'], { name: 'renamed' })).status, 200)
      assert.equal((await alice.change(shared.body['id'], { shared: false })).status, 200)
      assert.deepEqual([await bob.names(), await alice.names()], [[], ['own', 'renamed']])
      assert.equal(await admin.remove(shared.body['id']), 204)
    })

    await t.test(`a read-only account saves its own views and shares none; nobody saves a view for another account`, async () => {
      const rita = as(hub, 'rita')
      assert.equal((await rita.save(viewOf('rita', 'shared', true))).status, 400)
      const own = await rita.save(viewOf('rita', 'own'))
      assert.equal(own.status, 200)
      assert.equal((await rita.change(own.body['id'], { shared: true })).status, 400)
      assert.equal((await rita.change(own.body['id'], { name: 'renamed' })).status, 200)
      assert.equal((await rita.change(own.body['id'], { user: idOf('alice') })).status, 400)
      assert.equal((await as(hub, 'alice').save(viewOf('rita', 'for rita'))).status, 400)
      assert.deepEqual(await rita.names(), ['renamed'])
    })

    await t.test(`no API key reads or writes saved views`, async () => {
      assert.equal((await as(hub, 'alice').save(viewOf('alice', 'not for keys'))).status, 200)
      for (const scope of ['read', 'write', 'ingest'] as const) {
        const key = await newApiKey(hub, 'alice', scope)
        assert.equal((await request(hub, key, ['GET', PATH])).status, 403, scope)
        assert.equal((await request(hub, key, ['POST', PATH], viewOf('alice', 'by a key'))).status, 403, scope)
      }
    })

    await t.test(`an account has one view of a name, and at most ${MOST_VIEWS} views; they go with the account`, async () => {
      const [alice, bob] = [as(hub, 'alice'), as(hub, 'bob')]
      assert.equal((await alice.save(viewOf('alice', 'down'))).status, 200)
      const second = await alice.save(viewOf('alice', 'down'))
      assert.equal(second.status, 400)
      assert.ok('name' in (second.body['data'] as object))
      assert.equal((await bob.save(viewOf('bob', 'down', true))).status, 200)
      const { database, store } = hub.engine
      await database.write(async (unit) => {
        const { length } = await store.loadWhere('saved_views', { user: idOf('alice') }, unit)
        for (let index = length; index < MOST_VIEWS; index++) await store.insert(unit, 'saved_views', viewOf('alice', `view ${index}`))
      })
      const refused = await alice.save(viewOf('alice', 'one more'))
      assert.equal(refused.status, 400)
      assert.ok('name' in (refused.body['data'] as object))
      assert.equal((await store.loadWhere('saved_views', { user: idOf('alice') })).length, MOST_VIEWS)
      assert.equal((await bob.save(viewOf('bob', 'another'))).status, 200)
      assert.equal(
        (await request(hub, await hub.tokenOf('super'), ['DELETE', `/api/collections/users/records/${idOf('bob')}`])).status,
        204,
      )
      assert.deepEqual(await store.loadWhere('saved_views', { user: idOf('bob') }), [])
    })
  })
}
