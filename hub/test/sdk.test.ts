import assert from 'node:assert/strict'
import { test } from 'node:test'
import PocketBase from 'pocketbase'
import { serve } from '../src/http/server.ts'
import { databases } from './databases.ts'
import { dataset, recordedHub } from './recorded-hub.ts'

for (const kind of databases) {
  test(`${kind.name}: the official SDK signs in, lists, writes, refreshes and understands a refusal`, async () => {
    await using hub = await recordedHub(kind)
    const server = await serve(hub.app, { host: '127.0.0.1', port: 0 })
    try {
      const client = new PocketBase(server.address)
      const session = await client.collection('users').authWithPassword('alice@example.com', dataset.password)
      assert.equal(session.record.id, dataset.aliases['alice'])
      assert.ok(client.authStore.isValid)
      assert.ok(!client.authStore.isSuperuser)
      const systems = await client.collection('systems').getFullList({ sort: '+name', batch: 3 })
      assert.equal(systems.length, 10)
      const made = await client.collection('systems').create({ name: 'new', host: '127.0.0.1', port: '1', users: session.record.id })
      assert.equal(made['status'], 'pending')
      assert.equal((await client.collection('systems').getFirstListItem(client.filter('name = {:name}', { name: 'new' }))).id, made.id)
      await client.collection('systems').update(made.id, { status: 'paused' })
      await client.collection('systems').delete(made.id)
      await assert.rejects(client.collection('systems').getOne(made.id), { status: 404, message: "The requested resource wasn't found." })
      await assert.rejects(client.collection('systems').getOne('sys000000000003'), { status: 404 })
      assert.ok((await client.collection('users').authRefresh()).token)
      assert.deepEqual((await client.collection('users').listAuthMethods()).password, { enabled: true, identityFields: ['email'] })
      assert.equal((await client.health.check()).message, 'API is healthy.')
    } finally {
      await server.close()
    }
  })
}
