import assert from 'node:assert/strict'
import { test } from 'node:test'
import PocketBase, { ClientResponseError, type RecordSubscription } from 'pocketbase'
import EarlierPocketBase, { ClientResponseError as EarlierError } from 'pocketbase-0-21'
import { serve } from '../../src/platform/http/server.ts'
import { databases } from '../databases.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'
import { TestEventSource } from './event-source.ts'

Object.assign(globalThis, { EventSource: TestEventSource })

/** Versions of the official SDK in current dashboards and scripts. */
const versions = [
  { version: 'newest', Client: PocketBase, Failure: ClientResponseError },
  // The methods that this test calls have the same names in both versions.
  {
    version: '0.21',
    Client: EarlierPocketBase as unknown as typeof PocketBase,
    Failure: EarlierError,
  },
] as const

const MANY = 600
const SYSTEM = 'sys000000000006'

async function served(kind: (typeof databases)[number]) {
  const stack = new AsyncDisposableStack()
  const hub = stack.use(await recordedHub(kind))
  const server = stack.adopt(await serve(hub.app, { host: '127.0.0.1', port: 0 }), ({ close }) => close())
  // Open event streams would keep the server from closing.
  stack.defer(() => hub.realtime.close())
  return { ...hub, address: server.address, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Collects events and returns them one by one. */
function inbox<T>() {
  const waiting: T[] = []
  let wanted: ((one: T) => void) | undefined
  return {
    put(one: T): void {
      if (wanted === undefined) waiting.push(one)
      else wanted(one)
      wanted = undefined
    },
    next: (): Promise<T> => new Promise((resolve) => (waiting.length > 0 ? resolve(waiting.shift() as T) : (wanted = resolve))), // the list is not empty
    get size(): number {
      return waiting.length
    },
  }
}

for (const kind of databases) {
  for (const { version, Client, Failure } of versions) {
    const failure = (status: number, message: string) => (error: unknown) => {
      assert.ok(error instanceof Failure)
      assert.deepEqual([error.status, error.message], [status, message])
      return true
    }

    test(`${kind.name}: SDK ${version}: signs in, refreshes its token and receives validation errors`, async () => {
      await using hub = await served(kind)
      const client = new Client(hub.address)
      await assert.rejects(
        client.collection('users').authWithPassword('alice@example.com', 'wrong'),
        failure(400, 'Failed to authenticate.'),
      )
      const session = await client.collection('users').authWithPassword('alice@example.com', dataset.password)
      assert.equal(session.record.id, dataset.aliases['alice'])
      assert.ok(client.authStore.isValid)
      assert.ok((await client.collection('users').authRefresh()).token)
      const { password, ...others } = await client.collection('users').listAuthMethods()
      assert.ok(version === '0.21' ? 'emailPassword' in others : password.enabled)
      client.authStore.loadFromCookie(client.authStore.exportToCookie())
      assert.equal((await client.collection('users').getOne(session.record.id))['email'], 'alice@example.com')
      client.authStore.clear()
      await assert.rejects(client.collection('users').authRefresh(), failure(401, 'The request requires valid record authorization token.'))
      assert.equal((await client.health.check()).message, 'API is healthy.')
    })

    test(`${kind.name}: SDK ${version}: lists records in batches of 500, gets the first or a single record, and refuses an empty id`, async () => {
      await using hub = await served(kind)
      const users = [dataset.aliases['alice'] ?? '']
      await hub.test.database.write(async (unit) => {
        for (let at = 0; at < MANY; at += 1) {
          await hub.engine.store.insert(unit, 'systems', { name: `many ${String(at).padStart(4, '0')}`, host: 'h', port: '1', users })
        }
      })
      const client = new Client(hub.address)
      await client.collection('users').authWithPassword('alice@example.com', dataset.password)
      const asked: string[] = []
      client.beforeSend = (url, options) => {
        asked.push(url)
        return { url, options }
      }
      const systems = client.collection('systems')
      const all = await systems.getFullList({ sort: '+name', batch: 500, filter: 'name ~ "many %"', fields: 'id,name' })
      assert.deepEqual(
        all.map((one) => one['name']),
        Array.from({ length: MANY }, (_, at) => `many ${String(at).padStart(4, '0')}`),
      )
      assert.equal(asked.length, 2)
      const found = await systems.getFirstListItem(client.filter('name = {:name}', { name: 'many 0007' }))
      assert.equal(found.id, all[7]?.id)
      assert.equal((await systems.getOne(found.id))['host'], 'h')
      asked.length = 0
      await assert.rejects(
        systems.getOne(''),
        (error) => error instanceof Failure && error.response['message'] === 'Missing required record id.',
      )
      assert.deepEqual(asked, [])
      await assert.rejects(systems.getOne('sys000000000003'), failure(404, "The requested resource wasn't found."))
      await assert.rejects(systems.getFirstListItem('name = "nobody"'), failure(404, "The requested resource wasn't found."))
    })

    test(`${kind.name}: SDK ${version}: the first of two equal simultaneous requests is cancelled`, async () => {
      await using hub = await served(kind)
      const client = new Client(hub.address)
      const both = await Promise.allSettled([client.collection('systems').getList(), client.collection('systems').getList()])
      assert.deepEqual(
        both.map(({ status }) => status),
        ['rejected', 'fulfilled'],
      )
      assert.ok(both[0]?.status === 'rejected' && both[0].reason instanceof Failure && both[0].reason.isAbort)
    })

    test(
      `${kind.name}: SDK ${version}: receives created, updated and deleted records until it unsubscribes`,
      { timeout: 300_000 },
      async () => {
        await using hub = await served(kind)
        const client = new Client(hub.address)
        const { record } = await client.collection('users').authWithPassword('alice@example.com', dataset.password)
        const events = inbox<RecordSubscription>()
        const stopAll = await client.collection('systems').subscribe('*', (event) => events.put(event), { fields: 'id,name' })
        const one = inbox<RecordSubscription>()
        await client.collection('systems').subscribe(SYSTEM, (event) => one.put(event))
        const made = await client.collection('systems').create({ name: 'new', host: '127.0.0.1', port: '1', users: record.id })
        await client.collection('systems').update(made.id, { name: 'newer' })
        await client.collection('systems').delete(made.id)
        const heard = [await events.next(), await events.next(), await events.next()]
        assert.deepEqual(
          heard.map((event) => [event.action, { ...event.record }]),
          [
            ['create', { id: made.id, name: 'new' }],
            ['update', { id: made.id, name: 'newer' }],
            ['delete', { id: made.id, name: 'newer' }],
          ],
        )
        await client.collection('systems').update(SYSTEM, { name: 'seen' })
        assert.equal((await one.next()).record['name'], 'seen')
        await events.next()
        await stopAll()
        await client.collection('systems').update(SYSTEM, { name: 'seen by one' })
        assert.equal((await one.next()).record['name'], 'seen by one')
        assert.equal(events.size, 0)
        await client.collection('systems').unsubscribe()
        assert.equal(client.realtime.isConnected, false)
      },
    )

    test(`${kind.name}: SDK ${version}: calls the hub's own endpoints`, async () => {
      await using hub = await served(kind)
      const client = new Client(hub.address)
      await assert.rejects(client.send('/api/beszel/getkey', {}), failure(401, 'The request requires valid record authorization token.'))
      await client.collection('users').authWithPassword('alice@example.com', dataset.password)
      const { key } = await client.send<{ key: string }>('/api/beszel/getkey', {})
      assert.match(key, /^ssh-ed25519 /)
    })
  }

  test(`${kind.name}: SDK newest: a batch is applied completely or not at all, and a superuser is recognised`, async () => {
    await using hub = await served(kind)
    const client = new PocketBase(hub.address)
    await client.collection('_superusers').authWithPassword(dataset.superuser.email, dataset.superuser.password)
    assert.ok(client.authStore.isSuperuser)
    const good = client.createBatch()
    good.collection('systems').create({ name: 'of a batch', host: 'h', port: '1', users: [dataset.aliases['alice']] })
    good.collection('systems').update(SYSTEM, { name: 'changed by a batch' })
    assert.deepEqual(
      (await good.send()).map(({ status }) => status),
      [200, 200],
    )
    const bad = client.createBatch()
    bad.collection('systems').update(SYSTEM, { name: 'changed by a bad batch' })
    bad.collection('systems').delete('none')
    await assert.rejects(bad.send(), (error) => error instanceof ClientResponseError && error.status === 400)
    assert.equal((await client.collection('systems').getOne(SYSTEM))['name'], 'changed by a batch')
  })

  test(`${kind.name}: SDK 0.21: an admin signs in through the old API`, async () => {
    await using hub = await served(kind)
    const client = new EarlierPocketBase(hub.address)
    const session = await client.admins.authWithPassword(dataset.superuser.email, dataset.superuser.password)
    assert.equal(session.admin['email'], dataset.superuser.email)
    assert.ok(client.authStore.isAdmin)
    assert.ok((await client.admins.authRefresh()).token)
    assert.ok((await client.collection('universal_tokens').getFullList()).length >= 0)
  })
}
