import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { startDatabaseProxy } from '../cluster/fault-proxy.ts'
import { databases } from '../databases.ts'
import { heldPipe } from '../held-pipe.ts'
import { idOf, RECORDS, startedHub, startedIn } from '../started-hub.ts'

test('a hub stops although a DNS lookup hangs', { timeout: 300_000 }, async () => {
  await using pipe = heldPipe()
  // The C library reads aliases of host names from this file (gethostbyname(3)) before it queries a DNS server.
  await using hub = await startedHub({ HOSTALIASES: pipe.path })
  const { body } = await hub.signIn()
  const system = { name: 'unknown', host: 'nobody', port: '22', users: [idOf(body)] }
  assert.equal((await hub.call(String(body['token']), 'POST', RECORDS, system)).status, 200)
  await pipe.isRead
  assert.deepEqual(await hub.stop(), { status: 0, complaints: '' })
})

for (const kind of ['frozen', 'answers frozen'] as const)
  test(
    `a hub that stops with a hanging database (${kind}) exits with status 1, and a restart finds all data`,
    { timeout: 300_000 },
    async () => {
      const postgres = databases.find(({ name }) => name === 'postgres')
      assert.ok(postgres)
      await using place = await postgres.ready()
      assert.ok('url' in place.at)
      await using proxy = await startDatabaseProxy(place.at.url, 'vedette')
      await using hub = await startedHub({ VEDETTE_DATABASE: proxy.url })
      const { body } = await hub.signIn()
      const system = { name: 'stored', host: '127.0.0.1', port: '1', users: [idOf(body)] }
      assert.equal((await hub.call(String(body['token']), 'POST', RECORDS, system)).status, 200)
      proxy.become({ kind })
      const { status, complaints } = await hub.stop()
      assert.equal(status, 1)
      assert.match(complaints, /"message":"the hub did not stop in time and was terminated"/)
      proxy.become({ kind: 'open' })
      await using again = await startedIn(hub.data, { VEDETTE_DATABASE: proxy.url })
      const { body: session } = await again.signIn()
      const { body: list } = await again.call(String(session['token']), 'GET', RECORDS)
      assert.equal(list['totalItems'], 1)
      assert.equal((await again.stop()).status, 0)
    },
  )

test(
  'a hub whose database is locked by another program responds with 503, stops, and later has all its data',
  { timeout: 300_000 },
  async () => {
    await using hub = await startedHub()
    const { body } = await hub.signIn()
    const token = String(body['token'])
    const add = (name: string) => hub.call(token, 'POST', RECORDS, { name, host: '127.0.0.1', port: '1', users: [idOf(body)] })
    assert.equal((await add('one')).status, 200)
    using locked = new DatabaseSync(join(hub.data, 'vedette.sqlite'))
    locked.exec('begin immediate')
    for (const name of ['two', 'three']) {
      const refused = await add(name)
      assert.equal(refused.status, 503)
      assert.equal(refused.body['message'], 'The database of this hub does not answer. Try again in a moment.')
    }
    locked.exec('rollback')
    assert.equal((await add('four')).status, 200)
    locked.exec('begin immediate')
    assert.equal((await hub.stop()).status, 0)
    locked.exec('rollback')
    await using again = await startedIn(hub.data)
    const { body: session } = await again.signIn()
    const { body: list } = await again.call(String(session['token']), 'GET', `${RECORDS}?sort=created&fields=name`)
    assert.deepEqual(list['items'], [{ name: 'one' }, { name: 'four' }])
  },
)
