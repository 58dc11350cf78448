import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const MANY = 300
const alice = dataset.aliases['alice'] ?? ''

/** Systems of one user, each of which leads to all others through its user. */
async function fill(hub: RecordedHub): Promise<void> {
  await hub.test.database.write(async (unit) => {
    for (let at = 0; at < MANY; at += 1)
      await hub.engine.store.insert(unit, 'systems', {
        name: `many ${at}`,
        host: 'h',
        port: '1',
        users: [alice],
        info: { text: 'ab'.repeat(500) },
      })
  })
}

async function list(hub: RecordedHub, query: { readonly [name: string]: string }) {
  const headers = { authorization: await hub.tokenOf('alice') }
  const response = await hub.app.request(`/api/collections/systems/records?${new URLSearchParams(query).toString()}`, { headers })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as { readonly message?: string; readonly totalItems?: number } } // a page or an error
}

/** Returns the number of event loop turns during the promise. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let busy = true
  const turn = (): void => {
    turns += 1
    if (busy) setImmediate(turn)
  }
  setImmediate(turn)
  await work
  busy = false
  return turns
}

/** The hub must decide this filter itself, because of the function. It matches no system. */
const ASKED_HERE = "strftime('%Y', created) = '1999'"

for (const kind of databases) {
  test(`${kind.name}: a filter that the hub decides itself does not block the event loop, and is refused above its budget`, async () => {
    await using hub = await recordedHub(kind)
    await fill(hub)
    const plain = list(hub, { filter: `${ASKED_HERE} || name ~ "many"`, perPage: '1' })
    assert.equal((await plain).body.totalItems, MANY)

    const terms = Array.from({ length: 100 }, (_, at) => `info.text ~ "abababab${at}"`)
    const long = list(hub, { filter: [ASKED_HERE, ...terms].join(' || ') })
    assert.ok((await turnsDuring(long)) > 20)
    assert.equal((await long).status, 200, (await long).text)

    const crossing = list(hub, {
      filter: `(${ASKED_HERE} || name = "x") || users.systems_via_users.users.systems_via_users.name ?= "nobody"`,
    })
    assert.deepEqual([(await crossing).status, (await crossing).body.message], [400, 'Something went wrong while processing your request.'])
  })

  test(`${kind.name}: circular relations are expanded only up to a maximum number of records`, async () => {
    await using hub = await recordedHub(kind)
    await fill(hub)
    const once = await list(hub, { expand: 'users.systems_via_users', perPage: '10' })
    assert.equal(once.status, 200)
    const forth = await list(hub, { expand: 'users.systems_via_users.users.systems_via_users.users.systems_via_users', perPage: '1000' })
    assert.deepEqual([forth.status, forth.body.message], [400, 'The answer would show more than 100000 records. Expand less.'])
  })

  test(`${kind.name}: a subscription with a too costly filter gets no events, and all other subscriptions do`, async () => {
    await using hub = await recordedHub(kind)
    await fill(hub)
    const subscribe = async (options: object) => {
      const stream = await hub.app.request('/api/realtime')
      const reader = stream.body?.getReader()
      assert.ok(reader)
      const clientId = /^id:(.+)$/m.exec(new TextDecoder().decode((await reader.read()).value))?.[1]
      const subscriptions = [`systems/*?options=${encodeURIComponent(JSON.stringify({ query: options }))}`]
      const headers = { authorization: await hub.tokenOf('alice'), 'content-type': 'application/json' }
      const answer = await hub.app.request('/api/realtime', { method: 'POST', headers, body: JSON.stringify({ clientId, subscriptions }) })
      assert.equal(answer.status, 204)
      return reader
    }
    const greedy = await subscribe({ filter: 'users.systems_via_users.users.systems_via_users.name != "nobody"' })
    const modest = await subscribe({ filter: 'name ~ "sys"', fields: 'name' })
    await hub.test.database.write((unit) => hub.engine.store.update(unit, 'systems', 'sys000000000005', { name: 'sys changed' }))
    await hub.realtime.settled()
    assert.match(new TextDecoder().decode((await modest.read()).value), /"name":"sys changed"/)
    const nothing = Symbol('nothing')
    const heard = await Promise.race([greedy.read(), new Promise((resolve) => setImmediate(() => resolve(nothing)))])
    assert.equal(heard, nothing)
    await Promise.all([greedy.cancel(), modest.cancel()])
  })
}
