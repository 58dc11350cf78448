import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { dataset, readVector, recordedHub, type RecordedHub } from '../recorded-hub.ts'

type Change = { readonly action: string; readonly record: { readonly id: string; readonly [field: string]: Json } }

/** An event stream with subscriptions. `take` returns the events since the last call. */
async function listen(hub: RecordedHub, who: string, subscriptions: readonly string[]) {
  const response = await hub.app.request('/api/realtime')
  const reader = response.body?.getReader()
  assert.ok(reader)
  const decoder = new TextDecoder()
  const clientId = /^id:(.+)$/m.exec(decoder.decode((await reader.read()).value))?.[1]
  let pending = reader.read()
  const headers = { authorization: await hub.tokenOf(who), 'content-type': 'application/json' }
  const body = JSON.stringify({ clientId, subscriptions })
  assert.equal((await hub.app.request('/api/realtime', { method: 'POST', headers, body })).status, 204)
  return {
    async take(): Promise<readonly Change[]> {
      await hub.realtime.settled()
      let text = ''
      for (;;) {
        const read = await Promise.race([pending, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))])
        if (read === undefined || read.done) break
        text += decoder.decode(read.value, { stream: true })
        pending = reader.read()
      }
      return [...text.matchAll(/^data:(.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Change) // as the hub sends it
    },
    stop: () => reader.cancel(),
  }
}

async function call(hub: RecordedHub, who: string, request: string, body?: object): Promise<number> {
  const [method = '', path = ''] = request.split(' ')
  const headers = { authorization: await hub.tokenOf(who), 'content-type': 'application/json' }
  return (await hub.app.request(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).status
}

type Recorded = {
  readonly stream: { readonly headers: { readonly [name: string]: string }; readonly topics: readonly string[]; readonly bytes: string }
}

/** Number of subscribers that connect at the same time. */
const AT_ONCE = 20
const SUBSCRIBERS = 2_000
/** A system that is shared with some of the subscribers only. */
const SYSTEM = 'sys000000000006'

for (const kind of databases) {
  test(`${kind.name}: each of 2,000 subscribers gets a change once, and subscribers without access get nothing`, async () => {
    await using hub = await recordedHub(kind)
    const people = ['alice', 'super', 'bob', 'rita'] as const
    const come = async (at: number) => {
      const who = people[at % people.length] ?? 'bob'
      return { who, stream: await listen(hub, who, ['systems/*']) }
    }
    const subscribers: Awaited<ReturnType<typeof come>>[] = []
    // All at once would wait longer than the timeout for a database connection.
    while (subscribers.length < SUBSCRIBERS)
      subscribers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => come(subscribers.length + at)))))
    assert.equal(await call(hub, 'super', `PATCH /api/collections/systems/records/${SYSTEM}`, { name: 'heard' }), 200)
    const members = dataset.collections['systems']?.find(({ id }) => id === SYSTEM)?.['users']
    assert.deepEqual(members, [dataset.aliases['alice']])
    for (const { who, stream } of subscribers) {
      const heard = (await stream.take()).map(({ action, record }) => [action, record.id, record['name']])
      assert.deepEqual(heard, who === 'alice' || who === 'super' ? [['update', SYSTEM, 'heard']] : [], who)
      await stream.stop()
    }
  })

  test(`${kind.name}: a user stops getting events of a system when access is removed, and gets them when access is given`, async () => {
    await using hub = await recordedHub(kind)
    const bob = await listen(hub, 'bob', ['systems/*'])
    const alice = await listen(hub, 'alice', ['systems/*'])
    const share = (users: readonly string[]) => call(hub, 'super', `PATCH /api/collections/systems/records/${SYSTEM}`, { users })
    const [aliceId = '', bobId = ''] = [dataset.aliases['alice'], dataset.aliases['bob']]
    assert.equal(await share([bobId]), 200)
    assert.equal(await call(hub, 'super', `PATCH /api/collections/systems/records/${SYSTEM}`, { name: 'of bob' }), 200)
    assert.deepEqual(await alice.take(), [])
    assert.equal((await bob.take()).at(-1)?.record['name'], 'of bob')
    assert.equal(await share([aliceId]), 200)
    assert.deepEqual(await bob.take(), [])
    await bob.stop()
    await alice.stop()
  })

  test(`${kind.name}: events of a record are published in commit order with simultaneous writers`, { timeout: 300_000 }, async () => {
    await using hub = await recordedHub(kind)
    const ids = (dataset.collections['quiet_hours'] ?? []).map(({ id }) => id).slice(0, 2)
    assert.equal(ids.length, 2)
    const heard = new Map<string, number[]>()
    hub.test.bus.subscribe('all', ({ record }) => heard.get(record.id)?.push(Number(record['note'])))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...ids), { minLength: 2, maxLength: 24 }), async (writes) => {
        for (const id of ids) heard.set(id, [])
        let committed = 0
        await Promise.all(
          writes.map((id) =>
            hub.test.database.write(async (unit) => {
              const before = await hub.engine.store.loadToChange('quiet_hours', id, unit)
              assert.ok(before)
              // Only the transaction that locked the record increments the count, so the count follows the commit order.
              committed += 1
              unit.emit({ action: 'update', collection: 'quiet_hours', record: { ...before, note: committed } })
            }),
          ),
        )
        for (const id of ids) {
          const order = heard.get(id) ?? []
          assert.equal(order.length, writes.filter((one) => one === id).length)
          assert.deepEqual(
            order,
            order.toSorted((a, b) => a - b),
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  test(`${kind.name}: simultaneous changes of different fields keep each other, and the last event has both`, async () => {
    await using hub = await recordedHub(kind)
    const stream = await listen(hub, 'alice', [`systems/${SYSTEM}`])
    for (let round = 0; round < 10; round += 1) {
      const [name, port] = [`round ${round}`, String(1000 + round)]
      const path = `PATCH /api/collections/systems/records/${SYSTEM}`
      assert.deepEqual(await Promise.all([call(hub, 'alice', path, { name }), call(hub, 'super', path, { port })]), [200, 200])
      const last = (await stream.take()).at(-1)?.record
      assert.deepEqual([last?.['name'], last?.['port']], [name, port])
    }
    await stream.stop()
  })

  test(`${kind.name}: the bytes of an event stream equal the recorded ones, frame by frame`, async () => {
    await using hub = await recordedHub(kind)
    const { stream: recorded } = readVector('realtime-raw.json') as Recorded
    const response = await hub.app.request('/api/realtime')
    for (const name of ['content-type', 'cache-control', 'x-accel-buffering', 'x-content-type-options', 'x-frame-options']) {
      assert.equal(response.headers.get(name), recorded.headers[name], name)
    }
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.ok(reader)
    let text = (await reader.read()).value ?? ''
    const clientId = /^id:(.+)$/m.exec(text)?.[1] ?? ''
    const headers = { authorization: await hub.tokenOf('alice'), 'content-type': 'application/json' }
    const body = JSON.stringify({ clientId, subscriptions: recorded.topics })
    assert.equal((await hub.app.request('/api/realtime', { method: 'POST', headers, body })).status, 204)
    assert.equal(await call(hub, 'alice', `PATCH /api/collections/systems/records/${SYSTEM}`, { name: 'raw' }), 200)
    await hub.realtime.settled()
    const frames = recorded.bytes.split('\n\n').filter((frame) => frame !== '')
    while (text.split('\n\n').length <= frames.length) text += (await reader.read()).value ?? ''
    const ours = text.split('\n\n')
    for (const [at, frame] of frames.entries()) {
      // The keys of a complete record have another order, and its dates are of today.
      const lines = (one: string) =>
        one
          .replaceAll(/^(id:|data:\{"clientId":").*?("\}|)$/gm, '$1$2')
          .replace(/(data:\{"record":\{)"collectionId".*(\},"action":"\w+"\})/, '$1$2')
          .replace(/(data:\{"record":\{)"collectionId.*$/m, '$1')
      assert.equal(lines(ours[at] ?? ''), lines(frame))
    }
    await reader.cancel()
  })
}

for (const kind of databases) {
  test(`${kind.name}: _superusers subscribers get a create event for a new admin and a delete event for a former admin`, async () => {
    await using hub = await recordedHub(kind)
    const alice = dataset.aliases['alice'] ?? ''
    const admin = await listen(hub, 'super', ['_superusers/*', `_superusers/${alice}`])
    const other = await listen(hub, 'rita', ['_superusers/*', `_superusers/${alice}`])
    const patch = (body: object) => call(hub, 'super', `PATCH /api/collections/users/records/${alice}`, body)
    const told = async (stream: typeof admin) =>
      (await stream.take()).map(({ action, record }) => [action, record.id, record['collectionName']])
    const twice = (action: string) => [1, 2].map(() => [action, alice, '_superusers'])

    assert.equal(await patch({ name: 'A' }), 200)
    assert.deepEqual(await told(admin), [])
    assert.equal(await patch({ role: 'admin' }), 200)
    assert.deepEqual(await told(admin), twice('create'))
    assert.equal(await patch({ name: 'B' }), 200)
    const changes = await admin.take()
    assert.deepEqual(
      changes.map(({ action }) => action),
      ['update', 'update'],
    )
    assert.ok(changes.every(({ record }) => !('password' in record) && !('tokenKey' in record) && !('role' in record)))
    assert.equal(await patch({ role: 'user' }), 200)
    assert.deepEqual(await told(admin), twice('delete'))
    assert.equal(await patch({ role: 'admin' }), 200)
    assert.deepEqual(await told(admin), twice('create'))
    assert.equal(await call(hub, 'super', `DELETE /api/collections/_superusers/records/${alice}`), 204)
    assert.deepEqual(await told(admin), twice('delete'))
    assert.deepEqual(await told(other), [])
    await admin.stop()
    await other.stop()
  })
}
